/** Opens the list of the log's filters and handles its keys. */
import type { Deck } from '../../store/deck/deck.ts';
import {
  filterIndex,
  type FilterListState,
  hasActiveFilter,
  invertedFilter,
  toggledFilter,
  withAll,
  withFilterAt,
} from '../../store/log/reader/filter-list.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';
import type { LineFilter } from '../../tail/query/line-filters.ts';
import type { KeyResult } from '../command/key-result.ts';
import { moveCursorIntoFilter } from './place.ts';
import { promptFilter } from './prompts.ts';

type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>;

/** Opens the list of filters, with the cursor on the newest one. */
export function openFilterList(deck: Handles): void {
  const filters = deck.opened.getState().tail?.filter.state.getState().filters ?? [];
  if (filters.length === 0) return deck.messages.say('This log has no filters. & adds one.');
  return deck.screen.overlay.open({ kind: 'log-filters', index: filters.length - 1 });
}

/** Handles a key in the list of filters. */
export function filterListKey(input: KeyEvent, open: FilterListState, deck: Handles): KeyResult {
  const { tail } = deck.opened.getState();
  if (tail === undefined) {
    deck.screen.overlay.close();
    return 'consumed';
  }
  const { filters } = tail.filter.state.getState();
  const index = filterIndex(open, filters);
  const change = (next: readonly LineFilter[]): void => {
    tail.filter.setFilters(next);
    void moveCursorIntoFilter(tail);
  };
  switch (input.name) {
    case 'up':
    case 'down': {
      const step = input.name === 'up' ? -1 : 1;
      const next = Math.max(0, Math.min(index + step, filters.length - 1));
      deck.screen.overlay.open({ ...open, index: next });
      break;
    }
    case 'space':
      change(withFilterAt(filters, index, toggledFilter));
      break;
    case '!':
      change(withFilterAt(filters, index, invertedFilter));
      break;
    case 'X':
      change(withFilterAt(filters, index, () => undefined));
      if (filters.length <= 1) deck.screen.overlay.close();
      break;
    case 'a':
      change(withAll(filters, !hasActiveFilter(filters)));
      break;
    case 'e':
      promptFilter(deck, index);
      break;
    case '&':
      promptFilter(deck);
      break;
    case 'enter':
      deck.screen.overlay.close();
      break;
  }
  return 'consumed';
}
