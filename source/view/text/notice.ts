import type { Listing, ServiceError } from '../../store/lists/listing.ts';
import { isAway } from '../../store/deck/refresh.ts';
import { headOfLine, wrapWords } from './fit.ts';
import { type Line, plain, span } from './line.ts';

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

/** Cells of a service's own words that are looked at: a body may be as long as the service likes. */
const mostSaid = 2000;

/** Sentences as rows of a pane, one column in, no more than `most` of them. */
export function noticeRows(lines: readonly Line[], width: number, most: number): readonly Line[] {
  return lines
    .flatMap((line) => wrapWords(headOfLine(line, mostSaid), width - 2))
    .slice(0, Math.max(0, most))
    .map((row) => [span(' ')].concat(row));
}

/** An error as its sentence and what to do next, then what the service said. */
export function errorLines(error: ServiceError): readonly Line[] {
  return [
    [span(error.sentence, 'bad'), span(` ${error.next}`)],
    ...(error.errorMessage === undefined ? [] : [[span(error.errorMessage, 'quiet')]]),
  ];
}

/** An answer that could not be read, as it came, below what is wrong with it. */
export function answerLines(error: ServiceError | undefined): readonly Line[] {
  if (error === undefined) return [plain('The list can be read now.')];
  return [error.sentence, '', ...(error.answer ?? '').split('\n')].map(plain);
}
