import type { Deck } from '../../../store/deck/deck.ts';
import { deploymentLabel, shortId } from '../../../store/deployments/deployments.ts';
import { isNewDeployment, type LocalPlace, placeKey } from '../../../store/drafts/places.ts';
import type { PaletteCandidate } from './palette-search.ts';
import { servicesOf } from '../../log/title.ts';
import type { Deployment } from '../../../contract/deployments.ts';
import type { FileRecord } from '../../../contract/files.ts';
import { deriveEach } from '../../../store/lists/memoize-last.ts';

/** The places of the palette by kind. */
export interface PalettePlaces {
  readonly services: readonly PaletteCandidate[];
  readonly deployments: readonly PaletteCandidate[];
  readonly files: readonly PaletteCandidate[];
  /** Files with a draft, of any service; objects of verbs only. */
  readonly drafts: readonly PaletteCandidate[];
}

type Handles = Pick<Deck, 'screen' | 'deployments' | 'opened' | 'files' | 'drafts'>;

/** Lists of a deck, which outlive the palette, because preparing a long one takes time. */
const placesOfDecks = new WeakMap<Handles, () => PalettePlaces>();

/** Returns a function that lists the current places and reuses unchanged kinds. */
export function palettePlaces(deck: Handles): () => PalettePlaces {
  const places = placesOfDecks.get(deck) ?? createPlaces(deck);
  placesOfDecks.set(deck, places);
  return places;
}

function createPlaces(deck: Handles): () => PalettePlaces {
  const deployments = deriveEach(
    (deployment: Deployment) => deploymentPlace(deck, deployment),
    (before, now) => before.id === now.id && before.name === now.name,
  );
  const files = deriveEach(
    ({ path }: FileRecord) => filePlace(deck, path),
    (before, now) => before.path === now.path,
  );
  const services = memoizeByInput((names: readonly string[]) =>
    names.map((name) => servicePlace(deck, name)),
  );
  const drafts = memoizeByInput((heads: DraftsOfDeck) =>
    [...heads.values()].flatMap((head) => (isNewDeployment(head) ? [] : [draftObject(deck, head)])),
  );
  let names: readonly string[] = [];
  return () => ({
    drafts: drafts(deck.drafts.state.getState().drafts),
    services: services((names = reuseIfEqual(names, servicesOf(deck)))),
    deployments: deployments(deck.deployments.list.state.getState().rows),
    files: files(deck.files.list.state.getState().rows),
  });
}

/** Returns the last array when its names are unchanged, because each call lists them again. */
function reuseIfEqual(before: readonly string[], now: readonly string[]): readonly string[] {
  return before.length === now.length && before.every((name, at) => name === now[at])
    ? before
    : now;
}

/** Memoizes the last result by identity, because an unchanged list keeps its array. */
function memoizeByInput<T extends object, R>(compute: (input: T) => R): (input: T) => R {
  let last: { readonly input: T; readonly output: R } | undefined;
  return (input) => {
    if (last?.input !== input) last = { input, output: compute(input) };
    return last.output;
  };
}

type DraftsOfDeck = ReturnType<Deck['drafts']['state']['getState']>['drafts'];

/** Returns a file with a draft as the object of a verb; its path alone names it. */
function draftObject(
  deck: Pick<Deck, 'deployments'>,
  { deploymentId, service, path }: LocalPlace,
): PaletteCandidate {
  return {
    name: path,
    more: '',
    synonyms: [],
    file: { deploymentId, service, path },
    row: () => ({
      id: `draft ${placeKey({ deploymentId, service, path })}`,
      name: path,
      explanation: `draft, ${deck.deployments.label(deploymentId)}/${service}`,
      key: '',
      run() {},
    }),
  };
}

function deploymentPlace(
  deck: Pick<Deck, 'screen' | 'opened'>,
  deployment: Deployment,
): PaletteCandidate {
  const { id } = deployment;
  const name = deploymentLabel(deployment);
  return {
    name,
    more: '',
    synonyms: [],
    deployment: id,
    row: () => ({
      id: `deployment ${id}`,
      name,
      explanation: `deployment, ${shortId(id)}`,
      key: '',
      run() {
        deck.opened.open(id);
        deck.screen.view.open({ kind: 'logs' });
      },
    }),
  };
}

function servicePlace(deck: Pick<Deck, 'screen' | 'opened'>, name: string): PaletteCandidate {
  return {
    name,
    more: 'service files',
    synonyms: [],
    row: () => ({
      id: `service ${name}`,
      name,
      explanation: 'files of the service',
      key: '',
      run() {
        deck.opened.chooseService(name);
        deck.screen.focus.to('files');
      },
    }),
  };
}

function filePlace(deck: Pick<Deck, 'screen' | 'files'>, path: string): PaletteCandidate {
  return {
    name: path,
    more: '',
    synonyms: [],
    row: () => ({
      id: `file ${path}`,
      name: path,
      explanation: '',
      key: 'view',
      run() {
        deck.screen.view.open({ kind: 'file' });
        void deck.files.open(path);
      },
    }),
  };
}
