import type { Overlay } from '../../../store/deck/screen/overlay.ts';
import { isField } from '../../../store/grants/form.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';
import { type EditedLine, isPlainEdit } from '../../text/line-editor.ts';

/** Returns the line of the field that ink-text-input edits in a box; undefined without one. */
function fieldLine(overlay: Overlay | undefined): EditedLine | undefined {
  if (overlay?.kind === 'prompt') return overlay;
  if (overlay?.kind === 'grant' && isField(overlay.stop)) return overlay.lines[overlay.stop];
  return overlay?.kind === 'question' && overlay.question.typed !== undefined ? overlay : undefined;
}

/**
 * Returns true for a key that ink-text-input handles in the open prompt, form or confirmation. Other
 * keys, and all keys before the field is mounted, are handled by `line-editor.ts`.
 */
export function isFieldKey(overlay: Overlay | undefined, key: KeyEvent): boolean {
  const line = fieldLine(overlay);
  return line !== undefined && isPlainEdit(line, key);
}
