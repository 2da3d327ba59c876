import type { Deck } from '../../../store/deck/deck.ts';
import { chosenIndex, type Paletting, recall } from '../../../store/prompts/palette.ts';
import { type EditedLine, editLine, insertText } from '../../text/line-editor.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';

/** Handles a key in the palette; returns true when Enter ran a row. */
export function paletteKey(
  input: KeyEvent,
  open: Paletting,
  { screen }: Pick<Deck, 'screen'>,
): boolean {
  const { entered } = screen.getState();
  const rows = open.rows(open.text);
  const index = chosenIndex(open, rows);
  const row = rows[index];
  const update = (overlay: Paletting) => screen.overlay.open(overlay);
  // Up in an empty field recalls the entered names; then both arrows step through them.
  const recalls = open.recalled > 0 || (open.text === '' && index === 0);
  switch (input.name) {
    case 'up':
      update(recalls ? recall(open, entered, 1) : { ...open, chosen: rows[index - 1]?.id });
      return false;
    case 'down':
      if (open.recalled > 0) update(recall(open, entered, -1));
      else update({ ...open, chosen: rows[Math.min(index + 1, rows.length - 1)]?.id });
      return false;
    case 'tab':
      if (row !== undefined) {
        const line = insertText({ text: '', caret: 0 }, row.name);
        update({ ...open, ...line, chosen: row.id, recalled: 0 });
      }
      return false;
    case 'enter':
      if (row === undefined) return false;
      screen.forms.enterName(row.name);
      row.run();
      return true;
    default: {
      const line = editLine(open, input);
      if (line !== undefined) editPalette({ screen }, open, line);
      return false;
    }
  }
}

/** Puts an edited line into the palette; another text finds other rows. */
export function editPalette(
  { screen }: Pick<Deck, 'screen'>,
  open: Paletting,
  line: EditedLine,
): void {
  const isSame = line.text === open.text;
  const reset = isSame ? {} : { chosen: undefined, recalled: 0 };
  screen.overlay.open({ ...open, ...line, ...reset });
}
