/** The pages that a walk reads: those before the oldest loaded line, or those of an unread gap. */
import type { LogLine } from '../../../contract/logs.ts';
import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';
import type { Place } from '../../../tail/arena/place.ts';
import { type LogRow, rowTime, toRow } from '../../../tail/arena/row.ts';
import type { Sequence } from '../../../tail/arena/sequence.ts';
import type { BisectionRequest } from '../../../tail/log/bisection-request.ts';
import type { PastPages } from '../../../tail/log/past-pages.ts';
import { pastPageSize } from './past-page.ts';

/** The side of known lines on which a walk reads on. */
export type WalkSide = 'older' | 'newer';

type Row = LogRow<LogLine>;

/** The rows of a page that are not loaded. */
export interface UnreadRows {
  readonly rows: readonly Row[];
  /** True when the page reaches the known lines at the end of the walk. */
  readonly isLast: boolean;
}

export interface WalkPath {
  readonly side: WalkSide;
  /** Place of the known line beside which the walk begins. */
  readonly from: Place;
  /** Returns whether a walk from another place has read the pages up to this one's. */
  readonly goesOn: (from: Place) => boolean;
  readonly first: () => BisectionRequest;
  /** Returns the request for the next page; undefined at the end of the log. */
  readonly next: (request: BisectionRequest, rows: number) => BisectionRequest | undefined;
  /** @param rows of a page, from old to new. */
  readonly unread: (rows: readonly Row[]) => UnreadRows;
}

/** Returns the path to the beginning of the log. */
export function pathToBeginning(past: PastPages<LogLine>, from: Entry<LogLine>): WalkPath {
  const oldest = from.kind === 'line' ? toRow(from.line) : undefined;
  return {
    side: 'older',
    from: from.place,
    // Lines dropped from memory were searched before they were dropped.
    goesOn: (before) => from.place >= before,
    first: () => past.beside(from.place, 'older', pastPageSize),
    next: (request, rows) => past.olderThan(request, rows),
    unread(rows) {
      // The first page ends with some known lines, of which none is wanted again.
      const end = oldest === undefined ? -1 : rows.findLastIndex((row) => isSameRow(row, oldest));
      return { rows: end < 0 ? rows : rows.slice(0, end), isLast: rows.length === 0 };
    },
  };
}

/** Milliseconds by which one transport of a service may cut off the times of its lines. */
const coarseness = 1000;

/**
 * Returns the path through an unread gap.
 * @param side `older` to walk from its end to its start; undefined when the gap is no longer there.
 */
export function pathThroughGap(
  past: PastPages<LogLine>,
  log: Pick<Sequence<LogLine>, 'at' | 'indexOf'>,
  gap: GapEntry<LogLine>,
  side: WalkSide,
): WalkPath | undefined {
  const index = log.indexOf(gap.seq);
  const older = log.at(index - 1);
  const newer = log.at(index + 1);
  if (log.at(index)?.kind !== 'gap' || newer?.kind !== 'line') return undefined;
  if (older !== undefined && older.kind !== 'line') return undefined;
  const near = side === 'older' ? newer : older;
  if (near === undefined) return undefined;
  const after = older && toRow(older.line);
  const until = toRow(newer.line);
  return {
    side,
    from: near.place,
    goesOn: (before) => before === near.place,
    first: () => past.beside(near.place, side, pastPageSize),
    next: (request, rows) =>
      side === 'older' ? past.olderThan(request, rows) : past.newerThan(request, rows),
    unread(rows) {
      const start = after === undefined ? -1 : rows.findIndex((row) => isSameRow(row, after));
      const end = rows.findIndex((row) => isSameRow(row, until));
      const isLast =
        side === 'older' ? reaches(rows[0], after, -1) : reaches(rows.at(-1), until, 1);
      return {
        rows: rows.slice(start + 1, end < 0 ? rows.length : end),
        isLast: rows.length === 0 || isLast || (side === 'older' ? start >= 0 : end >= 0),
      };
    },
  };
}

function isSameRow({ id, timestamp, service, text }: Row, other: Row): boolean {
  return (
    id === other.id &&
    (id !== undefined || timestamp === other.timestamp) &&
    service === other.service &&
    text === other.text
  );
}

/** Returns whether a row lies clearly beyond another one; never when a time is missing. */
function reaches(row: Row | undefined, known: Row | undefined, step: 1 | -1): boolean {
  const time = row && rowTime(row);
  const end = known && rowTime(known);
  if (time === undefined || end === undefined) return false;
  return step * (time - end) > coarseness;
}
