import type { Deck } from '../../store/deck/deck.ts';
import { cursorIndex } from '../../store/lists/cursor.ts';
import type { Deployment } from '../../store/deployments/deployments.ts';
import { rowWithId } from '../../store/lists/row-with-id.ts';
import { deploymentIds, listIds } from '../../store/deck/rows.ts';

/** Id of the row under the cursor of the focused list; undefined in pane 4. */
export function rowUnderCursor(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'files' | 'grants'>,
): string | undefined {
  const { focus, cursors } = deck.screen.getState();
  if (focus === 'main') return undefined;
  const ids = listIds(deck, focus);
  return ids[cursorIndex(ids, cursors[focus])];
}

/** The deployment that keys of the focused pane speak of. */
export function deploymentUnderCursor(
  deck: Pick<Deck, 'screen' | 'deployments' | 'opened'>,
): string | undefined {
  const { focus, main, cursors } = deck.screen.getState();
  if (focus === 'deployments') {
    const ids = deploymentIds(deck);
    return ids[cursorIndex(ids, cursors.deployments)];
  }
  // Details speak of the deployment they show, whichever is opened.
  return focus === 'main' && main.kind === 'deployment' ? main.id : deck.opened.getState().id;
}

/** The deployment with this id as the list has it. */
export function listedDeployment(
  deck: Pick<Deck, 'deployments'>,
  id: string | undefined,
): Deployment | undefined {
  return rowWithId(deck.deployments.list.state.getState().rows, id)?.value;
}

/** The name of a deployment; the whole id where it has none: a part of it would find nothing. */
export function deploymentName(deck: Pick<Deck, 'deployments'>, id: string): string {
  const name = listedDeployment(deck, id)?.name ?? '';
  return name.trim() === '' ? id : name;
}
