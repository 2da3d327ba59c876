import type { Deck } from '../../store/deck/deck.ts';
import { cursorIndex } from '../../store/lists/cursor.ts';
import { listIds } from '../../store/deck/rows.ts';
import { clipboardText } from '../../terminal/clipboard.ts';
import { type Clipboard, type CopyForm, copyText } from '../command/copy.ts';
import { deploymentName } from '../command/row-under-cursor.ts';

/** Copies the names (short) or ids (whole) of the marked deployments, else of the row under the cursor. */
export function copyDeployments(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'files' | 'grants'>,
  clipboard: Clipboard,
  form: CopyForm,
): Promise<void> {
  const ids = listIds(deck, 'deployments');
  const id = ids[cursorIndex(ids, deck.screen.getState().cursors.deployments)];
  const names = deploymentsToCopy(deck, ids, id).map((one) =>
    form === 'short' ? deploymentName(deck, one) : one,
  );
  return copyText(deck, clipboard, clipboardText(names));
}

/** Returns the marked ids in the order of the rows, else the id under the cursor. */
function deploymentsToCopy(
  deck: Pick<Deck, 'screen'>,
  ids: readonly string[],
  underCursor: string | undefined,
): readonly string[] {
  const { deploymentMarks } = deck.screen.getState();
  if (deploymentMarks.size > 0) return ids.filter((id) => deploymentMarks.has(id));
  return underCursor === undefined ? [] : [underCursor];
}
