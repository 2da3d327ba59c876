import { rowWithId } from '../../store/lists/row-with-id.ts';
import type { Command } from '../command/command.ts';
import { openAnswer } from '../command/open-details.ts';
import { openGrantForm, openGrantFormLike, confirmRevocation } from './requests.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { rowUnderCursor } from '../command/row-under-cursor.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { clipboardText } from '../../terminal/clipboard.ts';
import { type Clipboard, copyText } from '../command/copy.ts';

const contexts = ['grants'] as const;

/** Commands of the list of grants. */
export const grantCommands: readonly Command[] = [
  {
    id: 'grants.open',
    keys: ['enter'],
    contexts,
    label: 'details',
    group: 'pane',
    help: 'show the grant',
    title: 'open',
    run: ({ deck }) => openGrant(deck),
  },
  {
    id: 'grants.enter',
    keys: ['right', 'l'],
    contexts,
    group: 'pane',
    help: 'show the grant',
    run: ({ deck }) => openGrant(deck),
  },
  {
    id: 'grants.create',
    keys: ['a'],
    contexts,
    label: 'grant',
    group: 'pane',
    help: 'grant...',
    title: 'grant',
    synonyms: ['add', 'new', 'create', 'lend', 'fund'],
    writes: true,
    run: ({ deck }) => openGrantForm(deck),
  },
  {
    id: 'grants.create-like',
    keys: ['A'],
    contexts,
    label: 'grant like',
    group: 'pane',
    help: 'grant like this',
    title: 'grant like',
    synonyms: ['clone', 'duplicate', 'renew'],
    writes: true,
    run: ({ deck }) => openGrantFormLike(deck),
  },
  {
    id: 'grants.revoke',
    keys: ['X'],
    contexts,
    label: 'revoke',
    group: 'pane',
    help: 'revoke...',
    title: 'revoke',
    synonyms: ['delete', 'remove', 'rm', 'end'],
    writes: true,
    run: ({ deck }) => void confirmRevocation(deck),
  },
  {
    id: 'grants.details',
    keys: ['d'],
    contexts,
    group: 'open',
    help: 'details',
    title: 'details',
    synonyms: ['describe', 'info', 'show', 'inspect'],
    run({ deck }) {
      if (!openAnswer(deck, 'grants')) openGrant(deck);
    },
  },
  {
    id: 'grants.copy-address',
    keys: ['y'],
    contexts,
    group: 'copy',
    help: 'copy the address',
    title: 'copy short',
    synonyms: ['yank', 'clipboard', 'wallet'],
    run: ({ deck, terminal }) => void copyAddress(deck, terminal.clipboard),
  },
  {
    id: 'grants.copy-all',
    keys: ['Y'],
    contexts,
    group: 'copy',
    help: 'copy all',
    title: 'copy whole',
    synonyms: ['yank', 'clipboard', 'wallet'],
    run: ({ deck, terminal }) => void copyAddress(deck, terminal.clipboard),
  },
];

/** Opens the details of the grant under the cursor. */
function openGrant(deck: Pick<Deck, 'screen' | 'lists'>): void {
  const id = rowUnderCursor(deck);
  if (id === undefined) return;
  deck.screen.view.open({ kind: 'grant', id });
}

/** Copies the other party's address of the grant under the cursor. */
function copyAddress(
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
  const grant = rowWithId(rows, id)?.value;
  if (grant === undefined) return '';
  const caller = deck.grants.wallet();
  return grantDirection(grant, caller) === 'received' ? grant.grantor : grant.grantee;
}
