import type { Deck } from '../store/deck/deck.ts';
import type { Keys } from '../terminal/keys/keys.ts';

/** Switches reports of the mouse with the setting of a deck. Returns the function that stops it. */
export function followMouse(
  { screen }: Pick<Deck, 'screen'>,
  keys: Pick<Keys, 'setMouse'>,
): () => void {
  keys.setMouse(screen.getState().hasMouse);
  return screen.subscribe(({ hasMouse }, before) => {
    if (hasMouse !== before.hasMouse) keys.setMouse(hasMouse);
  });
}
