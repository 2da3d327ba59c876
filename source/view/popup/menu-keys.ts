import type { Deck } from '../../store/deck/deck.ts';
import type { MenuItem, OpenMenu } from '../../store/prompts/menu.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';
import type { KeyResult } from '../command/key-result.ts';
import { editLine } from '../text/line-editor.ts';
import type { BoxStop } from '../text/line.ts';

/** Acts on a key in a menu: its list takes the arrows and Enter, the text takes the others. */
export function menuKey(
  input: KeyEvent,
  open: OpenMenu,
  { screen }: Pick<Deck, 'screen'>,
): KeyResult {
  if (['up', 'down', 'enter'].includes(input.name)) return 'pass';
  const line = editLine({ text: open.narrow, caret: open.caret }, input);
  if (line !== undefined) {
    screen.overlay.open({ ...open, narrow: line.text, caret: line.caret });
  }
  return 'consumed';
}

/** Returns the keys of a click on an item: those that lead there, then Enter for a second one. */
export function menuClickKeys({ steps = 0 }: BoxStop, isRepeated: boolean): readonly string[] {
  if (steps !== 0) return Array<string>(Math.abs(steps)).fill(steps > 0 ? 'down' : 'up');
  return isRepeated ? ['enter'] : [];
}

/** Closes a menu and takes its item. */
export function chooseItem({ screen }: Pick<Deck, 'screen'>, item: MenuItem): void {
  screen.overlay.close();
  item.choose();
}
