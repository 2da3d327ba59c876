import type { Console } from '../../../../source/store/deck/deck.ts';
import { chosenIndex, type Paletting } from '../../../../source/store/prompts/palette.ts';
import { press } from '../../press-keys.ts';
import { waitFor } from '../../../support/wait-for.ts';

/** Opens the palette by a key and waits until it is there. */
export async function openPalette(console: Console, key = ':'): Promise<void> {
  press(console, key);
  await waitFor(() => openedPalette(console));
}

/** The palette that lies above the panes; throws when there is none. */
export function openedPalette(console: Console): Paletting {
  const { overlay } = console.screen.getState();
  if (overlay?.kind !== 'palette') throw new Error('no palette is open');
  return overlay;
}

/** Names of the rows that fit, best first. */
export function offered(console: Console): readonly string[] {
  const open = openedPalette(console);
  return open.rows(open.text).map(({ name }) => name);
}

export function chosenName(console: Console): string | undefined {
  const open = openedPalette(console);
  const rows = open.rows(open.text);
  return rows[chosenIndex(open, rows)]?.name;
}
