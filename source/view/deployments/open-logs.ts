import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { isOpened } from '../../store/deck/opened.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';
import { maxMembers } from '../../tail/joined/joined-order.ts';

/** Opens the log of the marked deployments, else of the deployment of the focused pane. */
export function openLogsHere(
  deck: Pick<Deck, 'lists' | 'screen' | 'messages' | 'deployments' | 'opened'>,
): void {
  const id = deploymentUnderCursor(deck);
  if (id === undefined) return;
  const marked = markedForLogs(deck);
  if (marked.length > maxMembers) {
    deck.messages.say(
      `${marked.length} deployments are marked; one log shows at most ${maxMembers}. ${keyName('deployments.mark', 'Space')} unmarks.`,
      'bad',
    );
    return;
  }
  openTail(deck, id, marked);
  deck.screen.view.open({ kind: 'logs' });
}

/** Returns the marked deployments in the order of the list; none outside the list. */
function markedForLogs(deck: Pick<Deck, 'screen' | 'deployments'>): readonly string[] {
  const { focus, deploymentMarks } = deck.screen.getState();
  if (focus !== 'deployments' || deploymentMarks.size === 0) return [];
  const { rows } = deck.deployments.list.state.getState();
  return rows.map(({ value }) => value.id).filter((id) => deploymentMarks.has(id));
}

/** Opens the log of the marked deployments, else of one deployment, and clears the marks. */
function openTail(
  deck: Pick<Deck, 'screen' | 'opened'>,
  id: string,
  marked: readonly string[],
): void {
  const [first] = marked;
  // Outside the list, keep a joined log that already shows the deployment.
  const isShown = isOpened(deck.opened.getState(), id);
  if (deck.screen.getState().focus !== 'deployments' && isShown) return;
  if (first === undefined) return deck.opened.open(id);
  if (marked.length === 1) deck.opened.open(first);
  else deck.opened.open(marked.includes(id) ? id : first, marked);
  deck.screen.listViews.clearMarks('deployments');
}
