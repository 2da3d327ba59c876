import type { Deck } from '../../../store/deck/deck.ts';
import {
  completed,
  type Prompting,
  recallEntered,
  turnedPrompt,
} from '../../../store/prompts/prompt.ts';
import { boxAnswersAfter, type ScreenStore } from '../../../store/deck/screen.ts';
import type { KeyEvent } from '../../../terminal/keys/keys.ts';
import { editLine } from '../../text/line-editor.ts';
import type { KeyResult } from '../../command/key-result.ts';

/**
 * A key while a line is typed: Enter hands it over, Tab completes it or reads it in another way, Up and
 * Down bring back what was entered before, the rest edits it.
 */
export function promptKey(input: KeyEvent, overlay: Prompting, { screen, clock }: Deck): KeyResult {
  const { prompt, text, caret } = overlay;
  if (input.name === 'enter') {
    // Typed ahead of the prompt, Enter was not meant for it.
    if (prompt.writes === true && clock.now() - overlay.shownAt < boxAnswersAfter)
      return 'consumed';
    if (prompt.outcome?.problem() !== undefined) return 'consumed';
    screen.setState({ overlay: undefined });
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
    else screen.setState({ overlay: completedWith(overlay, candidates) });
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
  screen.setState({ overlay: after });
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
  screen.setState(({ overlay }) =>
    overlay?.kind === 'prompt' && overlay.prompt === asked.prompt && overlay.text === asked.text
      ? { overlay: completedWith(overlay, found) }
      : {},
  );
}
