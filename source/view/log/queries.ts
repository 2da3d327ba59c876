import type { Deck } from '../../store/deck/deck.ts';
import { hasActiveFilter, withAll } from '../../store/log/reader/filter-list.ts';
import type { LogFilter } from '../../store/log/reader/filter.ts';
import type { LogSearch, SearchDirection } from '../../store/log/reader/search.ts';
import { nearestUnreadGap } from '../../store/log/reader/seek.ts';
import { keyName } from '../../store/prompts/key-names.ts';
import { staysUntilEscape } from '../../store/deck/screen/message.ts';
import { seekMatch } from './steps/seek-step.ts';
import { logCursor } from './place.ts';
import { clearStepMessage } from './steps/step-message.ts';
import { contextOf } from '../command/command.ts';
import { noSearchMessage } from '../command/query-prompt.ts';

/** Moves the cursor to the next match, or says that there is none. */
export function stepToMatch(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  direction: SearchDirection,
): void {
  const { tail } = deck.opened.getState();
  if (tail?.search.state.getState().query === undefined) {
    return deck.messages.say(noSearchMessage('log.search'));
  }
  const gap = nearestUnreadGap(tail, logCursor(tail), direction);
  const step = tail.search.next(direction, gap?.seq);
  clearStepMessage(deck);
  // A newer match that is still looked for is gone to as soon as it is found.
  const isOver = step === 'moved' || (step === 'looking' && direction === 'newer' && !gap);
  if (!isOver) void seekMatch(deck, tail, direction);
  return undefined;
}

/**
 * Clears the search, or else switches the filters off, on Esc. Returns false if neither is active, or if an
 * overlay or message handles Esc first. Selected services stay.
 */
export function escapeLog(deck: Pick<Deck, 'screen' | 'messages' | 'opened'>): boolean {
  const { overlay, message, focus, main } = deck.screen.getState();
  const { tail } = deck.opened.getState();
  const isFirst = overlay === undefined && !staysUntilEscape(message);
  if (tail === undefined || !isFirst || contextOf(focus, main) !== 'logs') return false;
  if (clearSearch(tail.search)) return true;
  const hadProblem = tail.filter.state.getState().problem !== undefined;
  if (!switchFiltersOff(tail.filter)) return false;
  if (!hadProblem)
    deck.messages.say(`Filters off. ${keyName('log.filter', '&')} Enter turns them on.`);
  return true;
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
