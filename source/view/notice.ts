import type { Listing, ServiceError } from '../store/listing.ts';
import { isAway } from '../store/refresh.ts';
import { type Line, span } from './line.ts';

/** Milliseconds after which waiting is worth a word. */
export const loadingShownAfter = 300;

export interface NoticeSentences {
  readonly empty: string;
  readonly unmatched: string;
}

/**
 * What a list says in place of its rows, or below them; undefined when the rows speak for
 * themselves. A service that is away is told of once, in row 1 and the message row.
 * @param waiting ms that a list without an answer has been waited for.
 */
export function listNotice<T>(
  listing: Listing<T>,
  shown: number,
  sentences: NoticeSentences,
  waiting: number,
): readonly Line[] {
  const { error, loadedAt, rows } = listing;
  if (error !== undefined && !isAway(error)) return errorLines(error);
  if (loadedAt === undefined) {
    return error === undefined && waiting >= loadingShownAfter
      ? [[span('Loading...', 'quiet')]]
      : [];
  }
  if (rows.length === 0) return [[span(sentences.empty, 'quiet')]];
  return shown === 0 ? [[span(sentences.unmatched, 'quiet')]] : [];
}

/** An error as its sentence and what to do next, then what the service said. */
export function errorLines(error: ServiceError): readonly Line[] {
  return [
    [span(error.sentence, 'bad'), span(` ${error.next}`)],
    ...(error.said === undefined ? [] : [[span(error.said, 'quiet')]]),
  ];
}
