import type { Deck } from '../../store/deck/deck.ts';
import { chosenChange, moveInTrash, type TrashState } from '../../store/drafts/trash-list.ts';
import { boxAnswersAfter } from '../../store/deck/screen/overlay.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';
import type { KeyResult } from '../command/key-result.ts';
import { editLine } from '../text/line-editor.ts';
import { trashRows } from './rows.ts';
import { undoRestart } from './undo-restart.ts';
import { type UndoHandles, undoBatch } from './undo.ts';

const steps: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -10, pagedown: 10 };

/** Handles a key in the box of changes: typing searches, arrows select, Enter undoes. */
export function trashKey(
  input: KeyEvent,
  open: TrashState,
  deck: UndoHandles & Pick<Deck, 'opened'>,
): KeyResult {
  const { overlay } = deck.screen;
  const shown = trashRows(deck, open);
  const step = steps[input.name];
  if (step !== undefined) {
    overlay.open(moveInTrash(open, shown, step));
  } else if (input.name === 'enter') {
    const row = shown[chosenChange(open, shown)];
    const isReadable = deck.clock.now() - open.shownAt >= boxAnswersAfter;
    if (row === undefined || !isReadable) return 'consumed';
    overlay.close();
    const { undo } = row;
    if (undo.kind === 'restart') void undoRestart(deck, undo.restart);
    else void undoBatch(deck, undo.batch);
  } else {
    const line = editLine({ text: open.narrow, caret: open.caret }, input);
    if (line === undefined) return 'consumed';
    const chosen = line.text === open.narrow ? open.chosen : undefined;
    overlay.open({ ...open, narrow: line.text, caret: line.caret, chosen });
  }
  return 'consumed';
}
