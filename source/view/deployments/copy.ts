import type { Deck } from '../../store/deck/deck.ts';
import { clipboardText } from '../../terminal/clipboard.ts';
import { type Clipboard, type CopyForm, copyText } from '../command/copy.ts';
import { deploymentName } from '../command/row-under-cursor.ts';

/** Copies the names (short) or ids (whole) of the marked deployments, else of the row under the cursor. */
export function copyDeployments(
  deck: Pick<Deck, 'screen' | 'messages' | 'lists' | 'deployments'>,
  clipboard: Clipboard,
  form: CopyForm,
): Promise<void> {
  const names = deploymentsToCopy(deck).map((one) =>
    form === 'short' ? deploymentName(deck, one) : one,
  );
  return copyText(deck, clipboard, clipboardText(names));
}

/** Returns the marked ids in the order of the rows, else the id under the cursor. */
function deploymentsToCopy({ screen, lists }: Pick<Deck, 'screen' | 'lists'>): readonly string[] {
  const { deploymentMarks } = screen.getState();
  if (deploymentMarks.size > 0) {
    return lists.deployments.ids().filter((id) => deploymentMarks.has(id));
  }
  const underCursor = lists.deployments.idUnderCursor();
  return underCursor === undefined ? [] : [underCursor];
}
