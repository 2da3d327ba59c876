import { useStore } from 'zustand';
import { filterIndex, type FilterListState } from '../../store/log/reader/filter-list.ts';
import {
  type FilterRow,
  filterRows,
  type NamedFilters,
} from '../../store/log/reader/named-filters.ts';
import type { Tail } from '../../store/log/tail.ts';
import { filtersText, type LineFilter, shownQuery } from '../../tail/query/line-filters.ts';
import { FramedBox } from '../parts/box.tsx';
import { listRoom } from '../parts/list-box.tsx';
import { useDeck } from '../parts/context.ts';
import { atStop, type Line, span } from '../text/line.ts';
import { profileSpan } from '../text/status-line.ts';

/** Most filters that the box shows at once. */
const maxRows = 10;

interface BoxSize {
  readonly columns: number;
  readonly rows: number;
}

/** The box with the filters of the log: each one is on or off, and includes or excludes lines. */
export function LogFiltersBox(props: BoxSize & { readonly open: FilterListState }) {
  const { tail } = useStore(useDeck().opened);
  return tail === undefined ? undefined : <FilterRows tail={tail} {...props} />;
}

function FilterRows({
  tail,
  open,
  columns,
  rows,
}: BoxSize & { readonly open: FilterListState; readonly tail: Tail }) {
  const deck = useDeck();
  const filters = useStore(tail.filter.state, (state) => state.filters);
  const lists = useStore(deck.opened.filterLists.state);
  const all = filterRows(filters, lists);
  const index = filterIndex(open, all);
  const visibleRows = Math.max(1, Math.min(all.length, listRoom(columns, rows, maxRows)));
  const first = Math.min(
    Math.max(0, index - Math.floor(visibleRows / 2)),
    all.length - visibleRows,
  );
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(': filters of the log')]}
      lines={all.slice(Math.max(0, first), first + visibleRows).map((row, at) =>
        atStop(rowLine(row, first + at === index), {
          kind: 'row',
          index: first + at,
          name: row.kind === 'list' ? row.list.name : shownQuery(row.filter.query),
        }),
      )}
      hints={[
        ['Space', 'on/off'],
        ['!', 'invert'],
        ['e', 'edit'],
        ['X', 'remove'],
        ['n', 'name'],
        ['a', 'all'],
        ['Esc', 'close'],
      ]}
      columns={columns}
      rows={rows}
    />
  );
}

function rowLine(row: FilterRow, hasCursor: boolean): Line {
  return row.kind === 'filter' ? filterLine(row.filter, hasCursor) : listLine(row.list, hasCursor);
}

function listLine({ name, filters }: NamedFilters, hasCursor: boolean): Line {
  return [
    span(hasCursor ? '> list ' : '  list ', hasCursor ? 'focus' : 'quiet'),
    span(`${name}  `, hasCursor ? 'focus' : undefined),
    span(filtersText(filters), 'quiet'),
  ];
}

function filterLine({ query, isExcluding, isOn }: LineFilter, hasCursor: boolean): Line {
  const token = hasCursor ? 'focus' : isOn ? undefined : 'quiet';
  return [
    span(hasCursor ? '> ' : '  ', hasCursor ? 'focus' : undefined),
    span(isOn ? 'on   ' : 'off  ', isOn ? 'busy' : 'quiet'),
    span(isExcluding ? 'exclude  ' : 'include  ', token),
    span(shownQuery(query), token),
  ];
}
