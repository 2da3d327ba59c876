import type { Screen } from '../../../store/deck/screen/screen.ts';
import { isField } from '../../../store/grants/form.ts';
import { fieldText } from '../../../store/prompts/find.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';
import { isGranteeKey } from '../../grants/form-keys.ts';
import { type EditedLine, isPlainEdit } from '../../text/line-editor.ts';

type Fields = Pick<Screen, 'overlay' | 'filters'>;

/**
 * Returns the line of the field that ink-text-input edits; undefined without one. Fields above a list
 * of ink-select-input are none, because that list would read the same letters and digits.
 */
function fieldLine({ overlay, filters }: Fields): EditedLine | undefined {
  switch (overlay?.kind) {
    case 'prompt':
      // The field knows no selection, which the next key replaces or drops, and shows its text.
      return overlay.isSelected === true || overlay.prompt.isSecret === true ? undefined : overlay;
    case 'palette':
      return overlay;
    case 'filter':
      return { text: filters[overlay.pane], caret: overlay.caret };
    case 'find':
      return { text: fieldText(overlay), caret: overlay.caret };
    case 'grant':
      return isField(overlay.stop) ? overlay.lines[overlay.stop] : undefined;
    case 'question':
      return overlay.question.typed === undefined ? undefined : overlay;
    case 'menu':
    case 'trash':
    case 'log-services':
    case 'log-filters':
    case 'log-columns':
    case 'help':
    case 'restart':
    case 'restarts':
    case undefined:
      return undefined;
  }
}

/**
 * Returns true for a key that ink-text-input handles in the open field. Other keys, and all keys
 * before the field is mounted, are handled by `line-editor.ts`.
 */
export function isFieldKey(screen: Fields, key: KeyEvent): boolean {
  const line = fieldLine(screen);
  const { overlay } = screen;
  // Below the field of a grantee, a list with a cursor would read these keys, too.
  const hasList = overlay?.kind === 'grant' && overlay.row !== undefined;
  if (hasList && /^[jk1-9]$/.test(key.text ?? '')) return false;
  return line !== undefined && isPlainEdit(line, key);
}

/** Returns true for a key that a mounted component of Ink handles: a field, or the list of grantees. */
export function isInkKey(deck: Parameters<typeof isGranteeKey>[0], key: KeyEvent): boolean {
  return isFieldKey(deck.screen.getState(), key) || isGranteeKey(deck, key);
}
