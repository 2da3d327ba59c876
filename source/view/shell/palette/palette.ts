import {
  type PaletteRow,
  type Paletting,
  paletting,
  recentFirst,
} from '../../../store/prompts/palette.ts';
import type { Action } from '../../command/action.ts';
import type { Commands } from '../../command/registry.ts';
import { deploymentVerbs, fileVerbs, paletteCommands } from './palette-commands.ts';
import { bestMatches, type VerbsOf } from './palette-match.ts';
import { type PaletteCandidate, type PaletteMatch, prepareNext } from './palette-search.ts';
import { palettePlaces } from './palette-places.ts';

/** Maximum rows of a result; a longer search text finds the others. */
const maxRows = 50;

/** Creates the palette of the current context: commands, and places once text is typed. */
export function createPalette(action: Action, registered: Commands): Paletting {
  const { keyPause, screen } = action.deck;
  const commands = paletteCommands(action, registered);
  const verbs = deploymentVerbs(action, registered);
  const ofFiles = fileVerbs(action, registered);
  const all = commands.map(({ row }) => row());
  const placesNow = palettePlaces(action.deck);
  const kindsNow = () => {
    const { services, deployments, files, drafts } = placesNow();
    return {
      kinds: [commands, services, deployments, files],
      objects: [
        { verbs, candidates: deployments },
        { verbs: ofFiles.anyFile, candidates: files },
        { verbs: ofFiles.drafts, candidates: drafts },
      ],
    };
  };
  const first = recentFirst(all, screen.getState().entered, (name) =>
    findByName(kindsNow().kinds, name),
  );
  let lastText: string | undefined;
  let lastSearched: readonly (readonly PaletteCandidate[])[] = [];
  let last: readonly PaletteRow[] = [];

  /** Prepares the lists between keys, and draws what a text finds in the whole of them. */
  async function prepare(): Promise<void> {
    for (;;) {
      await keyPause.workTurn();
      const { overlay } = screen.getState();
      if (overlay?.kind !== 'palette' || overlay.rows !== rows) return;
      if (prepareNext(kindsNow().kinds)) continue;
      lastText = undefined;
      screen.overlay.open({ ...overlay });
      return;
    }
  }

  void prepare();

  function rows(text: string): readonly PaletteRow[] {
    if (text.trim() === '') return first;
    const { kinds, objects } = kindsNow();
    const searched = [...kinds, ...objects.map(({ candidates }) => candidates)];
    const isSame = searched.every((list, index) => list === lastSearched[index]);
    if (text === lastText && isSame) return last;
    lastText = text;
    lastSearched = searched;
    last = bestMatches(text, kinds, maxRows, objects).map(rowOf);
    return last;
  }

  return paletting(rows, () => {
    const { kinds, objects } = kindsNow();
    const count = (sum: number, each: VerbsOf) => sum + each.verbs.length * each.candidates.length;
    return kinds.reduce((sum, { length }) => sum + length, objects.reduce(count, 0));
  });
}

/** Prepares a part of the deployments for the palette; returns false when all are prepared. */
export function prepareDeployments(deck: Action['deck']): boolean {
  return prepareNext([palettePlaces(deck)().deployments]);
}

function findByName(
  kinds: readonly (readonly PaletteCandidate[])[],
  name: string,
): PaletteRow | undefined {
  for (const candidates of kinds) {
    const found = candidates.find((candidate) => candidate.name === name);
    if (found !== undefined) return found.row();
  }
  return undefined;
}

/** Returns the row of a match with its letters, and with the synonym that was found. */
function rowOf({ candidate, marks, synonym }: PaletteMatch): PaletteRow {
  const meaning = candidate.meaning ?? candidate.name;
  const note = synonym === undefined ? undefined : `${synonym} = ${meaning}`;
  return { ...candidate.row(), marks, note };
}
