import type { LineQuery, LineQueryKind } from '../../store/log/line-queries.ts';
import type { LogFilterState } from '../../store/log/reader/filter.ts';
import type { LogSearchState } from '../../store/log/reader/search.ts';
import type { Tail } from '../../store/deck/opened.ts';
import { cellWidth, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { formatCount } from '../text/amount.ts';
import { type Line, plain, span } from '../text/line.ts';

/** What stands before a query, as the key that asks for it. */
const queryMarks: Readonly<Record<LineQueryKind, string>> = { search: '/', filter: '&' };

/** `41 of 88,113`; while lines are looked at, how many so far. */
function filterCount({ matched, looked, total, done }: LogFilterState): string {
  if (done) return `${formatCount(matched)} of ${formatCount(total)}`;
  return `${formatCount(matched)}+ of ${formatCount(looked)}...`;
}

/** What stands in place of the lines where the filter leaves none; undefined where it hides none. */
export function unmatchedText({
  query,
  services,
  matched,
  looked,
  total,
  done,
}: LogFilterState): string | undefined {
  if ((query === undefined && services === undefined) || total === 0 || matched > 0)
    return undefined;
  if (!done) return `0 of ${formatCount(looked)} lines match so far. Looking...`;
  const what = query === undefined ? 'are of the chosen services' : 'match';
  const next = query === undefined ? 's chooses services.' : 'Esc clears the filter.';
  return `0 of ${formatCount(total)} lines ${what}. ${next}`;
}

/** `match 3 of 41`; while lines are looked at, how many so far. */
function searchCount({ at, newer, older, looking, done }: LogSearchState): string {
  if (looking !== undefined)
    return `looking for ${looking === 'older' ? 'an older' : 'a newer'} match...`;
  const total = newer + older + (at === undefined ? 0 : 1);
  if (total === 0) return done ? 'no match' : 'looking...';
  if (!done) return `${formatCount(total)}+ matches...`;
  if (at !== undefined) return `match ${formatCount(older + 1)} of ${formatCount(total)}`;
  return total === 1 ? '1 match' : `${formatCount(total)} matches`;
}

/** What the prompt of a kind says of its line. */
export function outcomeText(tail: Pick<Tail, 'filter' | 'search'>, kind: LineQueryKind): string {
  const filter = tail.filter.state.getState();
  const search = tail.search.state.getState();
  const { query, problem } = tail[kind].state.getState();
  // Of a line that cannot be read, the one before it still holds: its count would mislead.
  if (query === undefined || problem !== undefined) return '';
  return kind === 'filter' ? filterCount(filter) : searchCount(search);
}

/** A query as it is typed, behind the key that asks for it: `&timeout`, `/re:pay.*504`. */
export function queryText(kind: LineQueryKind, { text, regex }: LineQuery): string {
  return `${queryMarks[kind]}${regex ? 're:' : ''}${sanitize(text)}`;
}

interface Part {
  readonly query: string;
  readonly count: string;
  /** Keys that help, where there is room for them. */
  readonly keys: string;
}

const between = '   ';
/** Cells of a query that are worth more than the keys beside it. */
const leastQuery = 12;

/**
 * The state of filter and search in one row of `width` cells: `&timeout 41 of 88,113   /pay: match 3
 * of 3, n newer, N older`, and behind it `frozen` where there is room. Why a query does not hold
 * comes before all that. Empty where nothing is filtered or searched for.
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
  const least = parts.reduce((sum, { query }) => sum + Math.min(leastQuery, cellWidth(query)), 0);
  const text = fitted(parts, roomBeside(withKeys, width) >= least ? withKeys : counts, width);
  const whole = frozen === undefined ? text : `${text}${between}${frozen}`;
  return plain(cellWidth(whole) <= width ? whole : text);
}

function filterPart(state: LogFilterState): readonly Part[] {
  const { query } = state;
  if (query === undefined) return [];
  return [{ query: queryText('filter', query), count: ` ${filterCount(state)}`, keys: '' }];
}

function searchPart(state: LogSearchState): readonly Part[] {
  const { query, missed, looking, newer, older, at } = state;
  if (query === undefined) return [];
  const isAny = newer + older > 0 || at !== undefined;
  const step = missed === undefined ? ', n newer, N older' : `, no ${missed} match`;
  const keys = isAny && looking === undefined ? step : '';
  return [{ query: queryText('search', query), count: `: ${searchCount(state)}`, keys }];
}

/** Cells that so many parts leave to their queries. */
function roomBeside(tails: readonly string[], width: number): number {
  const gaps = between.length * (tails.length - 1);
  return width - gaps - tails.reduce((sum, tail) => sum + cellWidth(tail), 0);
}

/** The parts with their queries cut to what room there is; a short one leaves its to the other. */
function fitted(parts: readonly Part[], tails: readonly string[], width: number): string {
  let room = Math.max(0, roomBeside(tails, width));
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
  return cut.map((text, index) => `${text}${tails[index] ?? ''}`).join(between);
}

function widthAt(texts: readonly string[], index: number): number {
  return cellWidth(texts[index] ?? '');
}
