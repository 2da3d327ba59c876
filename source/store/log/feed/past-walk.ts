/** Reads lines that are not loaded, page by page, without storing them. */
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { Place } from '../../../tail/arena/place.ts';
import { rowTime, toRow } from '../../../tail/arena/row.ts';
import type { BisectionRequest } from '../../../tail/log/bisection-request.ts';
import type { LogHistory } from './history.ts';
import type { PageFetch } from './past-page.ts';
import type { WalkPath, WalkSide } from './walk-path.ts';

/** Progress of a walk: lines read for it so far, and the time of the last one. */
export interface WalkProgress {
  readonly lines: number;
  /** In ms since the epoch; undefined while no line has a time. */
  readonly reached: number | undefined;
}

export interface PastWalk {
  /** Returns the wanted ones among some lines. @param member their number in a joined log. */
  readonly wanted: (lines: readonly LogLine[], member?: number) => readonly LogLine[];
  /** Identifies the wanted lines: a walk for the same goes on where the last one stopped. */
  readonly key: string;
  /** Most requests of this walk. */
  readonly requests: number;
  /** Text that the service may search for, to find a line faster than page by page. */
  readonly hint?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: WalkProgress) => void;
}

/**
 * The result of a walk. `found`: the page with the nearest wanted line is loaded. `none`: the walk has
 * read all lines of its path. `stopped`: after the most requests.
 */
export interface PastWalkResult extends WalkProgress {
  readonly end: 'found' | 'none' | 'stopped' | 'failed' | 'aborted';
  readonly error: ServiceError | undefined;
}

/** The result of a walk through a log without lines. */
export const noWalk: PastWalkResult = {
  end: 'none',
  error: undefined,
  lines: 0,
  reached: undefined,
};

/** The place at which a walk stopped. */
interface StoppedWalk extends WalkProgress {
  readonly key: string;
  readonly side: WalkSide;
  /** Place of the known line beside which it began. */
  readonly from: Place;
  readonly request: BisectionRequest;
  /** Lines that the stream had delivered then. */
  readonly received: number;
}

/** Most requests for lines that a service searched; the rows of a page of them. */
const maxHintRequests = 12;
const hintedRows = 100;

interface WalkOptions {
  readonly history: LogHistory;
  /** Returns the number of lines that the stream has delivered. */
  readonly received: () => number;
  /** Aborted when the log is closed. */
  readonly closed: AbortSignal;
  readonly fetchPage: PageFetch;
}

export interface PastWalks {
  /** Reads the lines of a path until some are wanted. */
  walk(path: WalkPath, walk: PastWalk): Promise<PastWalkResult>;
  /**
   * Resolves to the time of a wanted line before a time that the service's own search finds. Nearer ones
   * may exist, since that search has rules of its own; undefined when it finds none.
   */
  hintedTime(before: number, walk: PastWalk): Promise<number | undefined>;
}

export function createPastWalks({ history, received, closed, fetchPage }: WalkOptions): PastWalks {
  const { past } = history;
  let stopped: StoppedWalk | undefined;

  const walk: PastWalks['walk'] = async (
    path,
    { key, wanted, requests, onProgress, ...options },
  ) => {
    const signal = AbortSignal.any([options.signal, closed]);
    const { side, from } = path;
    const isSame = stopped?.key === key && stopped.side === side && path.goesOn(stopped.from);
    const before = isSame ? stopped : undefined;
    let request = before?.request ?? path.first();
    let at = before?.received ?? received();
    let progress: WalkProgress = { lines: before?.lines ?? 0, reached: before?.reached };
    for (let count = 0; count < requests; count += 1) {
      onProgress(progress);
      request = past.moved(request, received() - at);
      at = received();
      const answer = await fetchPage(request, signal);
      if (signal.aborted) return { end: 'aborted', error: undefined, ...progress };
      if (!answer.ok) return { end: 'failed', error: answer.error, ...progress };
      const lines = answer.value.lines.map(({ value }) => value);
      past.note(request, lines.length);
      const page = past.sorted(lines.map(toRow));
      const { rows, isLast } = path.unread(page);
      const last = side === 'older' ? rows[0] : rows.at(-1);
      if (last !== undefined)
        progress = { lines: progress.lines + rows.length, reached: rowTime(last) };
      if (rows.length > 0 && wanted(rows.map(({ line }) => line)).length > 0) {
        history.join(request, lines);
        return { end: 'found', error: undefined, ...progress };
      }
      const next = isLast ? undefined : path.next(request, page.length);
      if (next === undefined) return { end: 'none', error: undefined, ...progress };
      request = next;
      stopped = { key, side, from, request, received: at, ...progress };
    }
    return { end: 'stopped', error: undefined, ...progress };
  };

  return {
    walk,
    async hintedTime(before, { hint, wanted, signal: ended }) {
      const signal = AbortSignal.any([ended, closed]);
      const bisection = past.hintSearch(before, hintedRows);
      if (hint === undefined || bisection === undefined) return undefined;
      let nearest: number | undefined;
      let offset: number | undefined;
      for (let count = 0; count < maxHintRequests; count += 1) {
        const request = bisection.next();
        // The same page again is the one nearest to the time.
        if (request === undefined || request.offset === offset) break;
        ({ offset } = request);
        const answer = await fetchPage(request, signal, hint);
        if (!answer.ok || signal.aborted) return undefined;
        const lines = answer.value.lines.map(({ value }) => value);
        for (const line of wanted(lines)) {
          const time = rowTime(toRow(line));
          if (time !== undefined && time < before) nearest = Math.max(time, nearest ?? time);
        }
        bisection.page(request, past.read(lines.map(toRow)));
      }
      return nearest;
    },
  };
}
