import type { Deck } from '../../store/deck/deck.ts';
import type { ListPane } from '../../store/lists/list-panes.ts';
import { deploymentUnderCursor } from './row-under-cursor.ts';

/** Opens the answer that a list could not read; false where the list was read. */
export function openAnswer(deck: Pick<Deck, 'screen' | 'lists'>, pane: ListPane): boolean {
  const { error } = deck.lists[pane].listing();
  if (error?.answer === undefined) return false;
  deck.screen.view.open({ kind: 'answer', pane });
  return true;
}

/** Opens the details of the deployment that the focused pane is about. */
export function openDeploymentDetails(
  deck: Pick<Deck, 'screen' | 'lists' | 'deployments' | 'opened'>,
): void {
  const id = deploymentUnderCursor(deck);
  if (id === undefined) return;
  void deck.deployments.fetch(id);
  deck.screen.view.open({ kind: 'deployment', id });
}
