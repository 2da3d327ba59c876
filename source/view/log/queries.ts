import type { Deck } from '../../store/deck/deck.ts';
import { hasActiveFilter, withAll } from '../../store/log/reader/filter-list.ts';
import type { LogFilter } from '../../store/log/reader/filter.ts';
import type { LogSearch, SearchDirection } from '../../store/log/reader/search.ts';
import { staysUntilEscape } from '../../store/deck/screen/message.ts';
import { lacksLines } from './beyond-memory.ts';
import { sayPassed, seekOlderMatch } from './older-match.ts';
import { logCursor } from './place.ts';
import { clearStepMessage } from './step-message.ts';
import { contextOf } from '../command/command.ts';
import { noSearchMessage } from '../command/query-prompt.ts';

/** Moves the cursor to the next match, or reports that there is none. */
export function stepToMatch(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  direction: SearchDirection,
): void {
  const { tail } = deck.opened.getState();
  if (tail?.search.state.getState().query === undefined) {
    return deck.messages.say(noSearchMessage('log.search'));
  }
  const start = logCursor(tail) ?? Number.POSITIVE_INFINITY;
  const step = tail.search.next(direction);
  if (step === 'none' && direction === 'newer') {
    const isKnown = !lacksLines(tail, start, 1);
    return deck.messages.say(isKnown ? 'No newer match.' : 'No newer match is loaded.');
  }
  const { older } = tail.log.state.getState();
  if (step === 'none' && older === 'none') {
    return deck.messages.say(
      lacksLines(tail, start, -1) ? 'No older match is loaded.' : 'No older match.',
    );
  }
  clearStepMessage(deck);
  if (step === 'moved') sayPassed(deck, tail, start);
  if (direction === 'older' && step !== 'moved') void seekOlderMatch(deck, tail);
  return undefined;
}

/**
 * Clears the search, or else switches the filters off, on Esc. Returns false if neither is active, or if an
 * overlay or message handles Esc first. Selected services stay.
 */
export function escapeLog(deck: Pick<Deck, 'screen' | 'opened'>): boolean {
  const { overlay, message, focus, main } = deck.screen.getState();
  const { tail } = deck.opened.getState();
  const isFirst = overlay === undefined && !staysUntilEscape(message);
  if (tail === undefined || !isFirst || contextOf(focus, main) !== 'logs') return false;
  return clearSearch(tail.search) || switchFiltersOff(tail.filter);
}

function clearSearch(search: LogSearch): boolean {
  const { query, problem } = search.state.getState();
  if (query === undefined && problem === undefined) return false;
  // A failed query leaves the previous one active, so the first Esc only clears the error.
  search.setQuery(problem === undefined ? undefined : query);
  return true;
}

function switchFiltersOff(filter: LogFilter): boolean {
  const { filters, problem } = filter.state.getState();
  if (problem === undefined && !hasActiveFilter(filters)) return false;
  filter.setFilters(problem === undefined ? withAll(filters, false) : filters);
  return true;
}
