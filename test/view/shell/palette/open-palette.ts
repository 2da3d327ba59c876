import type { Deck } from '../../../../source/store/deck/deck.ts';
import { chosenIndex, type Paletting } from '../../../../source/store/prompts/palette.ts';
import { press } from '../../press-keys.ts';
import { waitFor } from '../../../support/wait-for.ts';

/** Opens the palette with a key and waits until it is open. */
export async function openPalette(deck: Deck, key = ':'): Promise<void> {
  press(deck, key);
  await waitFor(() => openedPalette(deck));
}

/** Returns the open palette; throws when it is closed. */
export function openedPalette(deck: Deck): Paletting {
  const { overlay } = deck.screen.getState();
  if (overlay?.kind !== 'palette') throw new Error('no palette is open');
  return overlay;
}

/** Returns the names of the matching rows, best first. */
export function offered(deck: Deck): readonly string[] {
  const open = openedPalette(deck);
  return open.rows(open.text).map(({ name }) => name);
}

export function chosenName(deck: Deck): string | undefined {
  const open = openedPalette(deck);
  const rows = open.rows(open.text);
  return rows[chosenIndex(open, rows)]?.name;
}
