import type { Deck } from '../../../store/deck/deck.ts';
import { type ConfirmBox, chooseOption, mayAnswer } from '../../../store/prompts/confirm.ts';
import { boxAnswersAfter } from '../../../store/deck/screen/overlay.ts';
import { editLine } from '../../text/line-editor.ts';
import type { KeyResult } from '../../command/key-result.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';

const steps: Readonly<Record<string, number>> = {
  tab: 1,
  'shift+tab': -1,
  down: 1,
  up: -1,
};

/** Steps of Left and Right, which move the caret instead in a box with a field. */
const buttonSteps: Readonly<Record<string, number>> = { right: 1, left: -1 };

/** Handles a key in a confirmation: arrows and Tab choose, Enter answers, letters edit the field. */
export function confirmKey(
  input: KeyEvent,
  box: ConfirmBox,
  deck: Pick<Deck, 'clock' | 'screen'>,
): KeyResult {
  const { screen, clock } = deck;
  const { question, text, caret } = box;
  const hasField = question.typed !== undefined;
  const step = steps[input.name] ?? (hasField ? undefined : buttonSteps[input.name]);
  if (step !== undefined) {
    screen.overlay.open(chooseOption(box, step));
  } else if (input.name === 'enter') {
    // Enter typed before the box could be read is no answer to it.
    if (clock.now() - box.shownAt < boxAnswersAfter || !mayAnswer(box)) return 'consumed';
    screen.overlay.close();
    question.answer(box.chosen);
  } else if (hasField) {
    const line = editLine({ text, caret }, input);
    if (line !== undefined) screen.overlay.open({ ...box, ...line });
  }
  return 'consumed';
}
