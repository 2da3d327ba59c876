import type { Deck } from '../../store/deck/deck.ts';
import { isFiltered } from '../../store/log/reader/filter.ts';
import { clearStepMessage } from './step-message.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Distance in entries from the oldest loaded line at which older ones are prefetched. */
const prefetchDistance = 200;
const prefetchLines = 1000;
/** Lines fetched per key at the top of a filtered log, since few of them may match. */
const filteredPrefetchLines = 5000;

/** Moves the cursor by `step` entries, and prefetches older lines near the top. */
export function moveInLog(deck: Pick<Deck, 'screen' | 'messages' | 'opened'>, step: number): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  clearStepMessage(deck);
  tail.view.move(step);
  const position = tail.view.position.getState();
  const index = position.kind === 'frozen' ? tail.entries.indexOf(position.cursor) : undefined;
  if (isFiltered(tail.filter)) {
    // With few matches the cursor is always near the top, so only a step beyond it fetches more.
    const isAtTop = index === 0 || tail.entries.length === 0;
    if (step < 0 && isAtTop) tail.log.olderWanted(filteredPrefetchLines);
  } else if (index !== undefined && index < prefetchDistance) tail.log.olderWanted(prefetchLines);
  if (index === 0 && step < 0 && hasDroppedLines(tail)) {
    deck.messages.say('Older lines were dropped because memory is full. --log-lines keeps more.');
  }
}

/** Moves the cursor to the entry with this number, if it is shown; fetches older lines as a step does. */
export function moveToLogLine(
  deck: Pick<Deck, 'screen' | 'messages' | 'opened'>,
  seq: number,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const { entries, view } = tail;
  const index = entries.indexOf(seq);
  if (entries.at(index)?.seq !== seq) return;
  const position = view.position.getState();
  const last = entries.length - 1;
  const from = position.kind === 'frozen' ? Math.min(entries.indexOf(position.cursor), last) : last;
  moveInLog(deck, index - from);
}

/** Returns whether lines before the first shown one were dropped; pinned lines may be older. */
function hasDroppedLines({ log, entries }: Tail): boolean {
  const first = entries.at(0);
  const [firstLoaded] = log.entries.slice(0, 1);
  const isPinned = first !== undefined && firstLoaded !== undefined && first.seq < firstLoaded.seq;
  return isPinned || log.state.getState().older === 'full';
}
