import type { Deck } from '../../store/deck/deck.ts';
import type { Tail } from '../../store/deck/opened.ts';
import { isFiltered } from '../../store/log/reader/filter.ts';

/** So near to the oldest line at hand, older ones are fetched before they are reached. */
const nearTop = 200;
const olderLines = 1000;
/** With each key at the top, of which a filter may show none. */
const olderFiltered = 5000;

/** A step in the log; near the oldest line at hand it has older ones fetched. */
export function moveInLog(deck: Pick<Deck, 'messages' | 'opened'>, step: number): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  tail.view.move(step);
  const position = tail.view.position.getState();
  const index = position.kind === 'frozen' ? tail.entries.indexOf(position.cursor) : undefined;
  if (isFiltered(tail.filter)) {
    // Where next to nothing matches, only who wants to go on upwards has more fetched.
    const isAtTop = index === 0 || tail.entries.length === 0;
    if (step < 0 && isAtTop) tail.log.olderWanted(olderFiltered);
  } else if (index !== undefined && index < nearTop) tail.log.olderWanted(olderLines);
  if (index === 0 && step < 0 && isFull(tail)) {
    deck.messages.say('Older lines have left memory, which is full. --log-lines keeps more.');
  }
}

/** Whether lines were dropped that came before the first one shown: what is pinned may be older. */
function isFull({ log, entries }: Tail): boolean {
  const first = entries.at(0);
  const [own] = log.entries.slice(0, 1);
  const isPinned = first !== undefined && own !== undefined && first.seq < own.seq;
  return isPinned || log.state.getState().older === 'full';
}
