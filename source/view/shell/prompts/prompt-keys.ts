import type { Deck } from '../../../store/deck/deck.ts';
import {
  changedPrompt,
  completedPrompt,
  type Prompting,
  recallEntered,
  turnedPrompt,
} from '../../../store/prompts/prompt.ts';
import { boxAnswersAfter } from '../../../store/deck/screen/overlay.ts';
import type { ScreenStore } from '../../../store/deck/screen/screen.ts';
import { editLine } from '../../text/line-editor.ts';
import type { KeyResult } from '../../command/key-result.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';

/**
 * Handles a key in a prompt: Enter submits, Tab completes or switches the mode, Up and Down recall
 * earlier input, other keys edit the line.
 */
export function promptKey(
  input: KeyEvent,
  overlay: Prompting,
  { screen, clock }: Pick<Deck, 'clock' | 'screen'>,
): KeyResult {
  const { prompt, text } = overlay;
  if (input.name === 'enter') {
    // Enter typed before the prompt could be read is no answer to it.
    if (prompt.writes === true && clock.now() - overlay.shownAt < boxAnswersAfter)
      return 'consumed';
    if (prompt.outcome?.problem() !== undefined) return 'consumed';
    screen.overlay.close();
    if (prompt.pathOf !== undefined && text !== '') screen.forms.enterPath(prompt.pathOf, text);
    if (text !== '' || prompt.takesNothing === true) prompt.submit(text);
    return 'consumed';
  }
  if (input.name === 'tab' && prompt.turned !== undefined) {
    const candidates = prompt.completions?.(text) ?? [];
    const done = candidates instanceof Promise ? overlay : completedPrompt(overlay, candidates);
    const isCompleted = done.text !== text || done.choices !== undefined;
    updatePrompt(screen, overlay, isCompleted ? done : turnedPrompt(overlay));
    return 'consumed';
  }
  if (input.name === 'up' || input.name === 'down') {
    const { enteredPaths } = screen.getState();
    const paths = prompt.pathOf && enteredPaths[prompt.pathOf];
    const entered = paths?.map((path) => ({ prompt, text: path }));
    updatePrompt(screen, overlay, recallEntered(overlay, input.name === 'up' ? 1 : -1, entered));
    return 'consumed';
  }
  if (input.name === 'tab') {
    const candidates = prompt.completions?.(text) ?? [];
    if (candidates instanceof Promise) void completeAsync(screen, overlay, candidates);
    else screen.overlay.open(changedPrompt(overlay, completedPrompt(overlay, candidates)));
    return 'consumed';
  }
  const line = editPrompt(overlay, input);
  if (line !== undefined) updatePrompt(screen, overlay, { ...overlay, ...line });
  return 'consumed';
}

/** Shows a changed prompt, and reports its input first, so that a synchronous outcome is up to date. */
export function updatePrompt(screen: ScreenStore, before: Prompting, after: Prompting): void {
  const isOther = after.text !== before.text || after.prompt !== before.prompt;
  if (isOther) after.prompt.changed?.(after.text);
  screen.overlay.open(changedPrompt(before, after));
}

/** Edits the text of a prompt; a selected default is replaced by typed text, and removed whole. */
function editPrompt({ text, caret, isSelected }: Prompting, input: KeyEvent) {
  const isReplaced = input.text !== undefined || removals.has(input.name);
  const line = isSelected === true && isReplaced ? { text: '', caret: 0 } : { text, caret };
  return editLine(line, input);
}

const removals: ReadonlySet<string> = new Set(['backspace', 'delete']);

/** Completes the prompt with late candidates, unless its text changed meanwhile. */
async function completeAsync(
  screen: ScreenStore,
  request: Prompting,
  candidates: Promise<readonly string[]>,
): Promise<void> {
  const completions = await candidates;
  screen.overlay.update((box) =>
    box?.kind === 'prompt' && box.prompt === request.prompt && box.text === request.text
      ? changedPrompt(box, completedPrompt(box, completions))
      : box,
  );
}
