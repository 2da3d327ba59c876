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
import {
  filterRows,
  longestListName,
  type NamedFilters,
} from '../../store/log/reader/named-filters.ts';
import { keyName } from '../../store/prompts/key-names.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';
import type { LineFilter } from '../../tail/query/line-filters.ts';
import type { KeyResult } from '../command/key-result.ts';
import { moveCursorIntoFilter } from './place.ts';
import { promptFilter } from './prompts.ts';

type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>;

/** Opens the list of filters, with the cursor on the newest one. */
export function openFilterList(deck: Handles): void {
  deck.opened.filterLists.refresh();
  const filters = deck.opened.getState().tail?.filter.state.getState().filters ?? [];
  const hasLists = deck.opened.filterLists.state.getState().length > 0;
  if (filters.length === 0 && !hasLists) {
    return deck.messages.say('This log has no filters. & adds one.');
  }
  return deck.screen.overlay.open({
    kind: 'log-filters',
    index: Math.max(0, filters.length - 1),
  });
}

/** Handles a key in the list of filters. */
export function filterListKey(input: KeyEvent, open: FilterListState, deck: Handles): KeyResult {
  const { tail } = deck.opened.getState();
  if (tail === undefined) {
    deck.screen.overlay.close();
    return 'consumed';
  }
  const { filters } = tail.filter.state.getState();
  const rows = filterRows(filters, deck.opened.filterLists.state.getState());
  const index = filterIndex(open, rows);
  const row = rows[index];
  const change = (next: readonly LineFilter[]): void => {
    tail.filter.setFilters(next);
    void moveCursorIntoFilter(tail);
  };
  switch (input.name) {
    case 'up':
    case 'down': {
      const step = input.name === 'up' ? -1 : 1;
      const next = Math.max(0, Math.min(index + step, rows.length - 1));
      deck.screen.overlay.open({ ...open, index: next });
      break;
    }
    case 'space':
      if (row?.kind === 'list') applyList(row.list, deck, change);
      else change(withFilterAt(filters, index, toggledFilter));
      break;
    case '!':
      change(withFilterAt(filters, index, invertedFilter));
      break;
    case 'X':
      if (row?.kind === 'list') deck.opened.filterLists.remove(row.list.name);
      else change(withFilterAt(filters, index, () => undefined));
      if (rows.length <= 1) deck.screen.overlay.close();
      break;
    case 'a':
      change(withAll(filters, !hasActiveFilter(filters)));
      break;
    case 'e':
      if (row?.kind === 'filter') promptFilter(deck, index);
      break;
    case 'n':
      promptListName(deck, filters);
      break;
    case '&':
      promptFilter(deck);
      break;
    case 'enter':
      if (row?.kind === 'list') applyList(row.list, deck, change);
      else deck.screen.overlay.close();
      break;
  }
  return 'consumed';
}

/** Replaces the filters of the log by those of a named list. */
function applyList(
  { name, filters }: NamedFilters,
  deck: Handles,
  change: (next: readonly LineFilter[]) => void,
): void {
  deck.screen.overlay.close();
  change(filters);
  deck.messages.say(`Filters of ${name}.`);
}

/** Opens the prompt for the name under which the filters are stored. */
function promptListName(deck: Handles, filters: readonly LineFilter[]): void {
  if (filters.length === 0) return;
  deck.screen.overlay.open(
    prompting({
      label: 'Name these filters: ',
      hints: [
        ['Enter', 'save'],
        ['Esc', 'cancel'],
      ],
      submit(text) {
        const name = text.trim().slice(0, longestListName);
        deck.screen.overlay.close();
        if (name === '') return;
        deck.opened.filterLists.save({ name, filters });
        deck.messages.say(
          `Saved as ${name}. ${keyName('log.filters', 'F')} offers it for every log.`,
        );
      },
    }),
  );
}
