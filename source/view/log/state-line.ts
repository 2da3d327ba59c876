import type { LineQueryKind } from '../../store/log/line-queries.ts';
import type { LogFilterState } from '../../store/log/reader/filter.ts';
import type { LogSearchState } from '../../store/log/reader/search.ts';
import { cellWidth, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { formatCount } from '../text/amount.ts';
import { type Line, plain, span } from '../text/line.ts';
import type { LineQuery } from '../../tail/query/log-query.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Prefix of each query: the key that opens its prompt. */
const queryPrefixes: Readonly<Record<LineQueryKind, string>> = { search: '/', filter: '&' };

/** Returns `41 of 88,113`, or the counts so far while the filter runs. */
function filterCount({ matched, looked, total, done }: LogFilterState): string {
  if (done) return `${formatCount(matched)} of ${formatCount(total)}`;
  return `${formatCount(matched)}+ of ${formatCount(looked)}...`;
}

/** Returns the notice shown when no line matches the filter; undefined if lines are shown. */
export function noMatchText({
  query,
  services,
  matched,
  looked,
  total,
  done,
}: LogFilterState): string | undefined {
  if ((query === undefined && services === undefined) || total === 0 || matched > 0)
    return undefined;
  if (!done) return `0 of ${formatCount(looked)} lines match so far. Searching...`;
  const predicate = query === undefined ? 'are of the selected services' : 'match';
  const next = query === undefined ? 's selects services.' : 'Esc clears the filter.';
  return `0 of ${formatCount(total)} lines ${predicate}. ${next}`;
}

/** Returns `match 3 of 41`, or the count so far while the search runs. */
function searchCount({ at, newer, older, looking, done }: LogSearchState): string {
  if (looking !== undefined) return `searching ${looking} lines...`;
  const total = newer + older + (at === undefined ? 0 : 1);
  if (total === 0) return done ? 'no match' : 'searching...';
  if (!done) return `${formatCount(total)}+ matches...`;
  if (at !== undefined) return `match ${formatCount(older + 1)} of ${formatCount(total)}`;
  return total === 1 ? '1 match' : `${formatCount(total)} matches`;
}

/** Returns the counts shown beside the prompt of a search or filter. */
export function queryCountText(tail: Pick<Tail, 'filter' | 'search'>, kind: LineQueryKind): string {
  const filter = tail.filter.state.getState();
  const search = tail.search.state.getState();
  const { query, problem } = tail[kind].state.getState();
  // While the typed query is invalid the previous one is active, and its count would mislead.
  if (query === undefined || problem !== undefined) return '';
  return kind === 'filter' ? filterCount(filter) : searchCount(search);
}

/** Formats a query with its prefix: `&timeout`, `/re:pay.*504`. */
export function queryText(kind: LineQueryKind, { text, regex }: LineQuery): string {
  return `${queryPrefixes[kind]}${regex ? 're:' : ''}${sanitize(text)}`;
}

interface StatePart {
  readonly query: string;
  readonly count: string;
  /** Key hints, shown if there is room. */
  readonly keys: string;
}

const separator = '   ';
/** Cells that each query keeps before key hints get room. */
const minQueryWidth = 12;

/**
 * Returns the state of filter and search in a row of `width` cells: `&timeout 41 of 88,113   /pay:
 * match 3 of 3, n newer, N older`, followed by `frozen` if there is room. The error of an invalid
 * query replaces both. The row is empty without a filter or search.
 */
export function logStateLine(
  filter: LogFilterState,
  search: LogSearchState,
  frozen: string | undefined,
  width: number,
): Line {
  const problem = filter.problem ?? search.problem;
  if (problem !== undefined) return [span(truncateCells(sanitize(problem.sentence), width), 'bad')];
  const parts = [...filterPart(filter), ...searchPart(search)];
  if (parts.length === 0) return [];
  const withKeys = parts.map((part) => `${part.count}${part.keys}`);
  const counts = parts.map(({ count }) => count);
  const least = parts.reduce(
    (sum, { query }) => sum + Math.min(minQueryWidth, cellWidth(query)),
    0,
  );
  const text = fitParts(parts, queryRoom(withKeys, width) >= least ? withKeys : counts, width);
  const whole = frozen === undefined ? text : `${text}${separator}${frozen}`;
  return plain(cellWidth(whole) <= width ? whole : text);
}

function filterPart(state: LogFilterState): readonly StatePart[] {
  const { query } = state;
  if (query === undefined) return [];
  return [{ query: queryText('filter', query), count: ` ${filterCount(state)}`, keys: '' }];
}

function searchPart(state: LogSearchState): readonly StatePart[] {
  const { query, missed, looking, newer, older, at } = state;
  if (query === undefined) return [];
  const isAny = newer + older > 0 || at !== undefined;
  const step = missed === undefined ? ', n newer, N older' : `, no ${missed} match`;
  const keys = isAny && looking === undefined ? step : '';
  return [{ query: queryText('search', query), count: `: ${searchCount(state)}`, keys }];
}

/** Returns the cells that remain for the queries. */
function queryRoom(tails: readonly string[], width: number): number {
  const gaps = separator.length * (tails.length - 1);
  return width - gaps - tails.reduce((sum, tail) => sum + cellWidth(tail), 0);
}

/** Joins the parts and cuts their queries to the width; a short query leaves room to a long one. */
function fitParts(parts: readonly StatePart[], tails: readonly string[], width: number): string {
  let room = Math.max(0, queryRoom(tails, width));
  const texts = parts.map(({ query }) => query);
  const order = texts
    .map((_, index) => index)
    .sort((a, b) => widthAt(texts, a) - widthAt(texts, b));
  const cut = [...texts];
  for (const [rank, index] of order.entries()) {
    const share = Math.floor(room / (order.length - rank));
    cut[index] = truncateCells(texts[index] ?? '', share);
    room -= widthAt(cut, index);
  }
  return cut.map((text, index) => `${text}${tails[index] ?? ''}`).join(separator);
}

function widthAt(texts: readonly string[], index: number): number {
  return cellWidth(texts[index] ?? '');
}
