import type { Action } from '../../command/action.ts';
import type { Commands } from '../../command/registry.ts';
import { lazyPart } from '../../../system/lazy-part.ts';

export const palettePart = lazyPart(() => import('./palette.ts'));

/** Loads and opens the palette, unless another overlay opened meanwhile. */
export async function openPalette(action: Action, commands: Commands): Promise<void> {
  const { createPalette } = await palettePart();
  const { screen } = action.deck;
  if (screen.getState().overlay === undefined) {
    screen.overlay.open(createPalette(action, commands));
  }
}
