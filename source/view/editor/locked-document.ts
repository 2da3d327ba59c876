import type { Deck } from '../../store/deck/deck.ts';
import { type DraftPlace, fileNameOf, isNewDeployment } from '../../store/drafts/places.ts';
import type { Option } from '../../store/prompts/confirm.ts';
import { confirm } from '../command/confirm.ts';

type Handles = Pick<Deck, 'screen' | 'deployments' | 'files'>;

/**
 * Asks what to do with a document that another console has open. Resolves with true to take it over;
 * shows the service's file when the person chooses to view it.
 */
export async function confirmTakeOver(
  deck: Handles,
  place: DraftPlace,
  pid: number,
): Promise<boolean> {
  const path = viewablePath(deck, place);
  const choices: readonly (readonly [string, Option])[] = [
    ['cancel', { label: 'Cancel', meaning: 'opens nothing' }],
    ...(path === undefined
      ? []
      : [['view', { label: 'View', meaning: 'shows the file of the service' }] as const]),
    ['take over', { label: 'Take over', meaning: 'the other one keeps its text as a draft' }],
  ];
  const [first, ...others] = choices.map(([, option]) => option);
  const option = await confirm(deck, {
    title: `open in another hostdeck (pid ${pid})`,
    lines: [placeText(deck, place)],
    options: [first ?? { label: 'Cancel' }, ...others],
    escape: 'cancel',
  });
  const choice = choices[option]?.[0];
  if (choice === 'view' && path !== undefined) {
    deck.screen.view.open({ kind: 'file' });
    void deck.files.open(path);
  }
  return choice === 'take over';
}

/** Returns the path of a file that the viewer can show: one of the listed service. */
function viewablePath({ files }: Pick<Deck, 'files'>, place: DraftPlace): string | undefined {
  if (isNewDeployment(place)) return undefined;
  const { deploymentId, service, path } = place;
  const listed = files.state.getState().place;
  if (listed?.deploymentId !== deploymentId || listed.service !== service) return undefined;
  return files.list.state.getState().rows.some(({ value }) => value.path === path)
    ? path
    : undefined;
}

function placeText({ deployments }: Pick<Deck, 'deployments'>, place: DraftPlace): string {
  if (isNewDeployment(place)) return fileNameOf(place);
  return `${deployments.label(place.deploymentId)}/${place.service} ${place.path}`;
}
