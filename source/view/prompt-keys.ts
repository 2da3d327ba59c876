import type { Console } from '../store/console.ts';
import { completed, type Prompting } from '../store/prompt.ts';
import { boxAnswersAfter } from '../store/screen.ts';
import type { KeyEvent } from '../terminal/keys.ts';
import { editLine } from './line-editor.ts';
import type { Verdict } from './verdict.ts';

/** A key while a line is typed: Enter hands it over, Tab completes it, the rest edits it. */
export function promptKey(
  input: KeyEvent,
  overlay: Prompting,
  { screen, clock }: Console,
): Verdict {
  const { prompt, text, caret } = overlay;
  if (input.name === 'enter') {
    // Typed ahead of the prompt, Enter was not meant for it.
    if (prompt.writes === true && clock.now() - overlay.shownAt < boxAnswersAfter)
      return 'consumed';
    screen.setState({ overlay: undefined });
    if (text !== '') prompt.submit(text);
    return 'consumed';
  }
  if (input.name === 'tab') {
    const longer = completed(text, prompt.completions?.(text) ?? []);
    screen.setState({ overlay: { ...overlay, text: longer, caret: longer.length } });
    return 'consumed';
  }
  const line = editLine({ text, caret }, input);
  if (line !== undefined) screen.setState({ overlay: { ...overlay, ...line } });
  return 'consumed';
}
