import type { Deck } from '../../../store/deck/deck.ts';
import { chosenIndex, type Paletting, recall } from '../../../store/prompts/palette.ts';
import type { KeyEvent } from '../../../terminal/keys/keys.ts';
import { editLine, insertText } from '../../text/line-editor.ts';

/** A key while the palette is open. Whether it was Enter that did something. */
export function paletteKey(
  input: KeyEvent,
  open: Paletting,
  { screen }: Pick<Deck, 'screen'>,
): boolean {
  const { entered } = screen.getState();
  const rows = open.rows(open.text);
  const index = chosenIndex(open, rows);
  const row = rows[index];
  const put = (overlay: Paletting) => screen.overlay.open(overlay);
  // Up in an empty field brings back what was entered; then both arrows go through that.
  const recalls = open.recalled > 0 || (open.text === '' && index === 0);
  switch (input.name) {
    case 'up':
      put(recalls ? recall(open, entered, 1) : { ...open, chosen: rows[index - 1]?.id });
      return false;
    case 'down':
      if (open.recalled > 0) put(recall(open, entered, -1));
      else put({ ...open, chosen: rows[Math.min(index + 1, rows.length - 1)]?.id });
      return false;
    case 'tab':
      if (row !== undefined) {
        const line = insertText({ text: '', caret: 0 }, row.name);
        put({ ...open, ...line, chosen: row.id, recalled: 0 });
      }
      return false;
    case 'enter':
      if (row === undefined) return false;
      screen.forms.enterName(row.name);
      row.run();
      return true;
    default: {
      const line = editLine(open, input);
      if (line === undefined) return false;
      const isSame = line.text === open.text;
      put(isSame ? { ...open, ...line } : { ...open, ...line, chosen: undefined, recalled: 0 });
      return false;
    }
  }
}
