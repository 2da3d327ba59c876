/** Boxes with a short list: menus, whose items are numbered answers, and settings of the log. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { ColumnsState } from '../../../store/log/reader/columns.ts';
import { filterIndex, type FilterListState } from '../../../store/log/reader/filter-list.ts';
import {
  serviceRowIndex,
  serviceRows,
  type ServicePickerState,
} from '../../../store/log/reader/services.ts';
import { type FilterRow, filterRows } from '../../../store/log/reader/named-filters.ts';
import { filtersText, shownQuery } from '../../../tail/query/line-filters.ts';
import { logChoices } from '../../log/services.ts';
import { foundItems, type OpenMenu } from '../../../store/prompts/menu.ts';
import type { HeardBox } from './heard.ts';
import { boxTitle } from './hear-questions.ts';

/** Items that a digit chooses. */
export const mostNumbered = 9;

export function hearMenu(deck: Deck, open: OpenMenu): HeardBox {
  const { title } = open.menu;
  const items = foundItems(open);
  const words = items.map(({ label, meaning }) =>
    meaning === undefined ? label : `${label}: ${meaning}`,
  );
  const answers = words.slice(0, mostNumbered);
  const more = words.length > answers.length ? ` ${words.length - answers.length} more.` : '';
  const index = items.findIndex(({ id }) => id === open.picked);
  const numbered = answers.map((answer, at) => `${at + 1} ${answer}`).join('; ');
  return {
    id: title,
    intro: [
      `${boxTitle(deck, title)}. A digit chooses, letters narrow, Enter takes the first, Esc cancels.${more}`,
    ],
    answers,
    row: index < 0 ? undefined : { id: items[index]?.id ?? '', text: words[index] ?? '' },
    field: { label: 'Find: ', text: open.narrow, caret: open.caret },
    found: answers.length === 0 ? 'No match.' : `${numbered}${more}`,
  };
}

export function hearLogServices(deck: Deck, open: ServicePickerState): HeardBox {
  const rows = serviceRows(logChoices(deck), open.narrow);
  const row = rows[serviceRowIndex(open, rows)];
  const isMarked = row === undefined ? open.marked.size === 0 : open.marked.has(row.id);
  const name = row?.label ?? 'all services';
  const text = isMarked ? `${name}, shown` : name;
  return {
    id: 'log-services',
    intro: [
      `${boxTitle(deck, 'services shown')}. Up and Down move, Space marks, Enter shows the marked ones, Esc cancels.`,
    ],
    row: rows.length === 0 ? undefined : { id: row?.id ?? 'all', text, state: text },
    field: { label: 'Find: ', text: open.narrow, caret: open.caret },
    found: rows.length === 0 ? 'No match.' : text,
  };
}

export function hearLogFilters(deck: Deck, open: FilterListState): HeardBox {
  const filters = deck.opened.getState().tail?.filter.state.getState().filters ?? [];
  const rows = filterRows(filters, deck.opened.filterLists.state.getState());
  const index = filterIndex(open, rows);
  const text = `${filterRowText(rows[index])}${rows.length === 0 ? '' : `, ${index + 1} of ${rows.length}`}`;
  return {
    id: 'log-filters',
    intro: [
      `${boxTitle(deck, 'filters of the log')}. Space on or off, ! include or exclude, e edit, X remove, a all, n name, Esc close.`,
    ],
    row: { id: String(index), text, state: text },
  };
}

export function hearLogColumns(deck: Deck, { keys, index }: ColumnsState): HeardBox {
  const chosen = deck.opened.getState().tail?.reading.columns.state.getState() ?? [];
  const key = keys[index] ?? '';
  const text = `${key}, ${chosen.includes(key) ? 'shown' : 'hidden'}, ${index + 1} of ${keys.length}`;
  return {
    id: 'log-columns',
    intro: [
      `${boxTitle(deck, 'columns of the log')}. Up and Down move, Space shows or hides, a none, Enter close.`,
    ],
    row: { id: String(index), text, state: text },
  };
}

function filterRowText(row: FilterRow | undefined): string {
  if (row === undefined) return 'No filter.';
  if (row.kind === 'list') return `list ${row.list.name}, ${filtersText(row.list.filters)}`;
  const { query, isExcluding, isOn } = row.filter;
  return `${isOn ? 'on' : 'off'}, ${isExcluding ? 'exclude' : 'include'} ${shownQuery(query)}`;
}
