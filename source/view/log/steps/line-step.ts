import type { Deck } from '../../../store/deck/deck.ts';
import { cursorEntry } from '../range.ts';
import { lineSubject } from '../line-subject.ts';
import { moveInLog } from '../move.ts';

/** Shows the details of the next newer or older line and moves the log's cursor to it. */
export function stepLine(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  age: 'newer' | 'older',
): void {
  const { main } = deck.screen.getState();
  const { tail } = deck.opened.getState();
  if (main.kind !== 'line' || tail === undefined) return;
  moveInLog(deck, age === 'newer' ? 1 : -1);
  const chosen = cursorEntry(tail);
  if (chosen === undefined || chosen.seq === main.entry.seq) {
    deck.messages.say(age === 'newer' ? 'No newer line.' : 'No older line is loaded.');
    return;
  }
  deck.screen.view.showLine(lineSubject(tail, chosen, main.deploymentId));
}
