import type { LineQuery } from '../../tail/query/log-query.ts';
/** The use of a query: to find matching lines, or to show only those. */
export type LineQueryKind = 'search' | 'filter';

/** Queries entered in the prompt of each kind, newest last. */
export type LineQueries = Readonly<Record<LineQueryKind, readonly LineQuery[]>>;

export const noQueries: LineQueries = { search: [], filter: [] };

/** Queries that Up can recall. */
const maxQueries = 100;

/** Returns the queries with one more at the end, and without its earlier copy. */
export function addQuery(queries: readonly LineQuery[], query: LineQuery): readonly LineQuery[] {
  const others = queries.filter(({ text, regex }) => text !== query.text || regex !== query.regex);
  return [...others, query].slice(-maxQueries);
}
