import type { Deck } from '../store/deck/deck.ts';
import type { Keys } from '../terminal/keys/keys.ts';
import { colourDepth, knownBackground } from '../terminal/screen/colour.ts';
import { backgroundTone } from '../terminal/screen/luminance.ts';
import { terminalTraits } from '../terminal/traits.ts';

/** Returns whether a terminal may be asked for its background. Older ones would print the request. */
export function canAskBackground(env: NodeJS.ProcessEnv): boolean {
  return colourDepth(env) !== 'none' && terminalTraits(env).alternateScreen;
}

/**
 * Passes the terminal's background to the deck, first as far as the environment tells it, and requests
 * it when a person chooses `auto`. Returns the function that stops it.
 */
export function followBackground(
  { screen }: Pick<Deck, 'screen'>,
  keys: Pick<Keys, 'onAnswer' | 'requestBackground'>,
  canAsk: boolean,
): () => void {
  const known = knownBackground(process.env);
  if (known !== undefined) screen.appearance.setBackground(known);
  const stopListening = keys.onAnswer((answer) => {
    if (answer.kind === 'background') {
      screen.appearance.setBackground(backgroundTone(answer.colour));
    }
  });
  const unsubscribe = screen.subscribe(({ theme }, before) => {
    if (theme === 'auto' && before.theme !== 'auto' && canAsk) keys.requestBackground();
  });
  return () => {
    stopListening();
    unsubscribe();
  };
}
