import { keyName } from '../../store/prompts/key-names.ts';
import type { LineQueryKind } from '../../store/log/line-queries.ts';
import type { LogsState } from '../../store/log/feed/log-source.ts';
import type { LogFilterState } from '../../store/log/reader/filter.ts';
import type { LogSearchState } from '../../store/log/reader/search.ts';
import { cellWidth, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { formatCount } from '../text/amount.ts';
import { type Line, span } from '../text/line.ts';
import type { Token } from '../text/theme.ts';
import { filtersText, shownQuery } from '../../tail/query/line-filters.ts';
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
export function noMatchText(
  { active, services, members, matched, looked, total, done }: LogFilterState,
  older: LogsState['older'] = 'none',
): string | undefined {
  const isFiltered = (active ?? services ?? members) !== undefined;
  if (!isFiltered || total === 0 || matched > 0) return undefined;
  if (!done) return `0 of ${formatCount(looked)} lines match so far. Searching...`;
  const predicate = active === undefined ? 'are of the selected services' : 'match';
  const next =
    active === undefined
      ? `${keyName('log.services', 's')} selects services.`
      : 'Esc turns it off.';
  const rest = older === 'none' ? '' : ' Up searches older lines.';
  return `0 of ${formatCount(total)} lines ${predicate}.${rest} ${next}`;
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
  // While the typed query is invalid the previous one is active, and its count would mislead.
  if (tail[kind].state.getState().problem !== undefined) return '';
  if (kind === 'filter') return filter.active === undefined ? '' : filterCount(filter);
  return search.query === undefined ? '' : searchCount(search);
}

/** Formats a query with its prefix: `&timeout`, `/re:pay.*504`. */
export function queryText(kind: LineQueryKind, query: LineQuery): string {
  return `${queryPrefixes[kind]}${sanitize(shownQuery(query))}`;
}

/** Returns whether a log has the strip of {@link queryStrip}. */
export function hasQueryStrip({ filter, search }: Pick<Tail, 'filter' | 'search'>): boolean {
  const { active, problem } = filter.state.getState();
  const { query, problem: searchProblem } = search.state.getState();
  return (active ?? problem ?? query ?? searchProblem) !== undefined;
}

interface StripPart {
  readonly query: string;
  readonly count: string;
  /** Count for a row that is too narrow for `count`: `21`, `2/5`. */
  readonly shortCount: string;
  readonly token: Token | undefined;
}

/** Cells from which a strip cuts its queries rather than its counts. */
const wholeFrom = 60;

/** Cells between the filter and the search. */
const gap = 3;

/**
 * Returns the strip below the title of a log in `width` cells: the filter at the left and the search
 * at the right, `& timeout  41 of 88,113      / pay  3 of 3`, in a narrow one `& timeout 41  / pay 3/3`.
 * The error of an invalid query replaces both. Empty without a filter and a search.
 */
export function queryStrip(filter: LogFilterState, search: LogSearchState, width: number): Line {
  const problem = filter.problem ?? search.problem;
  if (problem !== undefined) return [span(truncateCells(sanitize(problem.sentence), width), 'bad')];
  const [left, right] = [filterPart(filter), searchPart(search)];
  const whole = [left, right].filter((part) => part !== undefined);
  if (whole.length === 0) return [];
  const needed = whole.reduce((sum, { query, count }) => sum + cellWidth(query + count), 0);
  const isNarrow = width < wholeFrom && needed + gap * (whole.length - 1) > width;
  const parts = isNarrow ? whole.map((part) => ({ ...part, count: part.shortCount })) : whole;
  const [first = '', second = ''] = fitParts(parts, width);
  if (left === undefined) return [span(first, right?.token)];
  if (right === undefined) return [span(first, left.token)];
  const space = width - cellWidth(first) - cellWidth(second);
  return [span(first, left.token), span(' '.repeat(Math.max(0, space))), span(second, right.token)];
}

function filterPart(state: LogFilterState): StripPart | undefined {
  const { active } = state;
  if (active === undefined) return undefined;
  const query = `${queryPrefixes.filter} ${sanitize(filtersText(active))}`;
  const count = `  ${filterCount(state)}`;
  const shortCount = state.done ? ` ${formatCount(state.matched)}` : count;
  return { query, count, shortCount, token: 'busy' };
}

function searchPart(state: LogSearchState): StripPart | undefined {
  const { query, missed, looking } = state;
  if (query === undefined) return undefined;
  const step = missed === undefined || looking !== undefined ? '' : `, no ${missed} match`;
  const count = searchCount(state).replace(/^match (?=\d)/, '');
  const text = `${queryPrefixes.search} ${sanitize(shownQuery(query))}`;
  const whole = `  ${count}${step}`;
  const shortCount = step === '' ? ` ${count.replace(/^(\S+) of (?=\S+$)/, '$1/')}` : whole;
  return { query: text, count: whole, shortCount, token: undefined };
}

/** Cuts the queries to the width; a short query leaves room to a long one. */
function fitParts(parts: readonly StripPart[], width: number): readonly string[] {
  const counts = parts.reduce((sum, { count }) => sum + cellWidth(count), 0);
  let room = Math.max(0, width - counts - gap * (parts.length - 1));
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
  return cut.map((text, index) => `${text}${parts[index]?.count ?? ''}`);
}

function widthAt(texts: readonly string[], index: number): number {
  return cellWidth(texts[index] ?? '');
}
