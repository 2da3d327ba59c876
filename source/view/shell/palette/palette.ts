import { type PaletteRow, type Paletting, paletting } from '../../../store/prompts/palette.ts';
import type { Action } from '../../command/action.ts';
import type { Commands } from '../../command/registry.ts';
import { paletteCommands } from './palette-commands.ts';
import { bestMatches, type PaletteCandidate, prepareSearch } from './palette-match.ts';
import { palettePlaces } from './palette-places.ts';

/** Maximum rows of a result; a longer search text finds the others. */
const maxRows = 50;

/** Milliseconds after which the places are prepared, because long lists take as long. */
const prepareAfter = 50;

/** Creates the palette of the current context: commands, and places once text is typed. */
export function createPalette(action: Action, registered: Commands): Paletting {
  const commands = paletteCommands(action, registered);
  const all = commands.map(({ row }) => row());
  const placesNow = palettePlaces(action.deck);
  let lastText: string | undefined;
  let lastPlaces: readonly (readonly PaletteCandidate[])[] = [];
  let last: readonly PaletteRow[] = [];

  action.deck.clock.after(prepareAfter, () => prepareSearch([commands, ...placesNow()]));

  return paletting((text) => {
    if (text.trim() === '') return all;
    const places = placesNow();
    const isSame = places.every((kind, index) => kind === lastPlaces[index]);
    if (text === lastText && isSame) return last;
    lastText = text;
    lastPlaces = places;
    last = bestMatches(text, [commands, ...places], maxRows).map(({ row }) => row());
    return last;
  });
}
