import type { Deck } from '../../store/deck/deck.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { clipboardText } from '../../terminal/clipboard.ts';
import { type Clipboard, copyText } from '../command/copy.ts';

/** Copies the other party's address of the grant under the cursor. */
export function copyAddress(
  deck: Pick<Deck, 'messages' | 'lists' | 'grants'>,
  clipboard: Clipboard,
): Promise<void> {
  const id = deck.lists.grants.idUnderCursor();
  const address = id === undefined ? [] : [grantAddress(deck, id)];
  return copyText(deck, clipboard, clipboardText(address));
}

/** Returns the other party's address; for a grant between others, the grantee's. */
function grantAddress(deck: Pick<Deck, 'grants'>, id: string): string {
  const { rows } = deck.grants.list.state.getState();
  const grant = rows.find(({ value }) => value.id === id)?.value;
  if (grant === undefined) return '';
  const caller = deck.grants.wallet();
  return grantDirection(grant, caller) === 'received' ? grant.grantor : grant.grantee;
}
