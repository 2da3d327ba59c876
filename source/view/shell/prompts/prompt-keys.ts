import type { Deck } from '../../../store/deck/deck.ts';
import {
  completed,
  type Prompting,
  recallEntered,
  turnedPrompt,
} from '../../../store/prompts/prompt.ts';
import { boxAnswersAfter } from '../../../store/deck/screen/overlay.ts';
import type { ScreenStore } from '../../../store/deck/screen/screen.ts';
import type { KeyEvent } from '../../../terminal/keys/keys.ts';
import { editLine } from '../../text/line-editor.ts';
import type { KeyResult } from '../../command/key-result.ts';

/**
 * A key while a line is typed: Enter hands it over, Tab completes it or reads it in another way, Up and
 * Down bring back what was entered before, the rest edits it.
 */
export function promptKey(
  input: KeyEvent,
  overlay: Prompting,
  { screen, clock }: Pick<Deck, 'clock' | 'screen'>,
): KeyResult {
  const { prompt, text, caret } = overlay;
  if (input.name === 'enter') {
    // Typed ahead of the prompt, Enter was not meant for it.
    if (prompt.writes === true && clock.now() - overlay.shownAt < boxAnswersAfter)
      return 'consumed';
    if (prompt.outcome?.problem() !== undefined) return 'consumed';
    screen.overlay.close();
    if (text !== '' || prompt.takesNothing === true) prompt.submit(text);
    return 'consumed';
  }
  if (input.name === 'tab' && prompt.turned !== undefined) {
    change(screen, overlay, turnedPrompt(overlay));
    return 'consumed';
  }
  if (input.name === 'up' || input.name === 'down') {
    change(screen, overlay, recallEntered(overlay, input.name === 'up' ? 1 : -1));
    return 'consumed';
  }
  if (input.name === 'tab') {
    const candidates = prompt.completions?.(text) ?? [];
    if (candidates instanceof Promise) void completeLate(screen, overlay, candidates);
    else screen.overlay.open(completedWith(overlay, candidates));
    return 'consumed';
  }
  const line = editLine({ text, caret }, input);
  if (line !== undefined) change(screen, overlay, { ...overlay, ...line });
  return 'consumed';
}

/** What comes of the line is known, as far as it can be at once, when the prompt is drawn anew. */
function change(screen: ScreenStore, before: Prompting, after: Prompting): void {
  const isOther = after.text !== before.text || after.prompt !== before.prompt;
  if (isOther) after.prompt.changed?.(after.text);
  screen.overlay.open(after);
}

function completedWith(overlay: Prompting, candidates: readonly string[]): Prompting {
  const text = completed(overlay.text, candidates);
  return { ...overlay, text, caret: text.length };
}

/** What was typed meanwhile is more than a completion of what stood there before. */
async function completeLate(
  screen: ScreenStore,
  asked: Prompting,
  candidates: Promise<readonly string[]>,
): Promise<void> {
  const found = await candidates;
  screen.overlay.update((box) =>
    box?.kind === 'prompt' && box.prompt === asked.prompt && box.text === asked.text
      ? completedWith(box, found)
      : box,
  );
}
