import type { Deck } from '../../store/deck/deck.ts';
import { rowWithId } from '../../store/lists/row-with-id.ts';
import type { Deployment } from '../../contract/deployments.ts';

/** Returns the id of the row under the cursor of the focused list; undefined in pane 4. */
export function rowUnderCursor(deck: Pick<Deck, 'screen' | 'lists'>): string | undefined {
  const { focus } = deck.screen.getState();
  return focus === 'main' ? undefined : deck.lists[focus].idUnderCursor();
}

/** Returns the id of the deployment that keys of the focused pane act on. */
export function deploymentUnderCursor(
  deck: Pick<Deck, 'screen' | 'lists' | 'opened'>,
): string | undefined {
  const { focus, main } = deck.screen.getState();
  if (focus === 'deployments') return deck.lists.deployments.idUnderCursor();
  // Details may show a deployment other than the opened one.
  return focus === 'main' && main.kind === 'deployment' ? main.id : deck.opened.getState().id;
}

/** Returns the list's deployment with this id. */
export function listedDeployment(
  deck: Pick<Deck, 'deployments'>,
  id: string | undefined,
): Deployment | undefined {
  return rowWithId(deck.deployments.list.state.getState().rows, id)?.value;
}

/** Returns the name of a deployment, or its whole id; a shortened id would find nothing. */
export function deploymentName(deck: Pick<Deck, 'deployments'>, id: string): string {
  const name = listedDeployment(deck, id)?.name ?? '';
  return name.trim() === '' ? id : name;
}
