import { type PaletteRow, type Paletting, paletting } from '../../../store/prompts/palette.ts';
import type { Action } from '../../command/action.ts';
import type { Commands } from '../../command/registry.ts';
import { paletteCommands } from './palette-commands.ts';
import { bestMatches, type PaletteCandidate, paletteQuery } from './palette-match.ts';
import { palettePlaces } from './palette-places.ts';

/** Maximum rows of a result; a longer search text finds the others. */
const maxRows = 50;

/** Milliseconds after which the places are prepared, because long lists take as long. */
const prepareAfter = 50;

const none: readonly PaletteRow[] = [];

/** Creates the palette of the current context: commands, and places once text is typed. */
export function createPalette(action: Action, registered: Commands): Paletting {
  const commands = paletteCommands(action, registered);
  const all = commands.map(({ row }) => row());
  const placesNow = palettePlaces(action.deck);
  let lastText: string | undefined;
  let lastPlaces: readonly (readonly PaletteCandidate[])[] = [];
  let last = none;

  action.deck.clock.after(prepareAfter, placesNow);

  return paletting((text) => {
    const query = paletteQuery(text);
    if (query === undefined) return none;
    if (query.words.length === 0) return all;
    const places = placesNow();
    const isSame = places.every((kind, index) => kind === lastPlaces[index]);
    if (text === lastText && isSame) return last;
    lastText = text;
    lastPlaces = places;
    last = bestMatches(query, [commands, ...places], maxRows).map(({ row }) => row());
    return last;
  });
}
