import type { LineQuery } from '../../tail/query/log-query.ts';

export type { LineQuery } from '../../tail/query/log-query.ts';

/** What lines are asked for: to be found among the others, or to be the only ones shown. */
export type LineQueryKind = 'search' | 'filter';

/** What was entered in the prompts of either kind, newest last. */
export type LineQueries = Readonly<Record<LineQueryKind, readonly LineQuery[]>>;

export const noQueries: LineQueries = { search: [], filter: [] };

/** Queries that Up brings back. */
const mostQueries = 100;

/** What was entered, newest last, with one more; the same one only stands at the end. */
export function withQuery(queries: readonly LineQuery[], query: LineQuery): readonly LineQuery[] {
  const others = queries.filter(({ text, regex }) => text !== query.text || regex !== query.regex);
  return [...others, query].slice(-mostQueries);
}
