import type { Deck } from '../../store/deck/deck.ts';
import { isOpened } from '../../store/deck/opened.ts';
import { maxMembers } from '../../store/log/feed/joined.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';

/** Opens the log of the marked deployments, else of the deployment that the focused pane is about. */
export function openLogsHere(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'opened'>,
): void {
  const id = deploymentUnderCursor(deck);
  if (id === undefined) return;
  const marked = markedForLogs(deck);
  if (marked.length > maxMembers) {
    deck.messages.say(
      `${marked.length} deployments are marked: one tail takes ${maxMembers}. Space takes a mark away.`,
      'bad',
    );
    return;
  }
  openTail(deck, id, marked);
  deck.screen.view.open({ kind: 'logs' });
}

/** What is marked where marks are seen, in the order of the list. */
function markedForLogs(deck: Pick<Deck, 'screen' | 'deployments'>): readonly string[] {
  const { focus, deploymentMarks } = deck.screen.getState();
  if (focus !== 'deployments' || deploymentMarks.size === 0) return [];
  const { rows } = deck.deployments.list.state.getState();
  return rows.map(({ value }) => value.id).filter((id) => deploymentMarks.has(id));
}

/** The log of the marked deployments, else of the one; what was marked for it is so no more. */
function openTail(
  deck: Pick<Deck, 'screen' | 'opened'>,
  id: string,
  marked: readonly string[],
): void {
  const [first] = marked;
  // Where no row stands for it alone, a tail that shows it with others goes on.
  const isShown = isOpened(deck.opened.getState(), id);
  if (deck.screen.getState().focus !== 'deployments' && isShown) return;
  if (first === undefined) return deck.opened.open(id);
  if (marked.length === 1) deck.opened.open(first);
  else deck.opened.open(marked.includes(id) ? id : first, marked);
  deck.screen.lists.clearMarks('deployments');
}
