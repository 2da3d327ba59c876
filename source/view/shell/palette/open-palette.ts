import type { Action } from '../../command/action.ts';
import type { Commands } from '../../command/registry.ts';

/** Puts the palette up, as soon as it is loaded; not over what came in between. */
export async function openPalette(action: Action, commands: Commands): Promise<void> {
  const { createPalette } = await import('./palette.ts');
  const { screen } = action.deck;
  if (screen.getState().overlay === undefined) {
    screen.overlay.open(createPalette(action, commands));
  }
}
