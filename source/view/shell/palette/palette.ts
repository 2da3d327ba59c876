import { type PaletteRow, type Paletting, paletting } from '../../../store/prompts/palette.ts';
import type { Action } from '../../command/action.ts';
import type { Commands } from '../../command/registry.ts';
import { paletteCommands } from './palette-commands.ts';
import { bestFitting, type PaletteCandidate, paletteQuery } from './palette-match.ts';
import { palettePlaces } from './palette-places.ts';

/** Rows that are offered at most: who wants another types on. */
const mostRows = 50;

/** Milliseconds after which it makes ready what may be typed for: long lists take as long. */
const prepareAfter = 50;

const none: readonly PaletteRow[] = [];

/** The palette for where the keys go now: commands, and with something typed places to go to. */
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
    last = bestFitting(query, [commands, ...places], mostRows).map(({ row }) => row());
    return last;
  });
}
