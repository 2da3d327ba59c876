/** Reads pages of history away from the known lines: at a time, or beside a gap. */
import type { LogsClient } from '../../../client/logs.ts';
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine, LogQuery } from '../../../contract/logs.ts';
import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';
import type { Sequence } from '../../../tail/arena/sequence.ts';
import { rowTime, toRow } from '../../../tail/arena/row.ts';
import { smallPage } from '../../../tail/log/page-request.ts';
import type { BisectionEnd, BisectionRequest } from '../../../tail/log/bisection-request.ts';
import { middleTime, tellsStepBack } from '../../../tail/log/time-walk.ts';
import type { TimeBisection } from '../../../tail/log/time-bisection.ts';
import { type Clock, pause } from '../../time/clock.ts';
import { backoffDelay } from './backoff.ts';
import { failureOf, type LogHistory } from './history.ts';
import { type PageFetch, pastPageSize } from './past-page.ts';
import {
  createPastWalks,
  noWalk,
  type PastWalk,
  type PastWalkResult,
  type PastWalks,
} from './past-walk.ts';
import { pathThroughGap, pathToBeginning, type WalkSide } from './walk-path.ts';

/**
 * The result of a search for a time. `unknown`: nothing tells the meaning of the service's offsets.
 * After `found`, `begins` and `refused` the lines around the time, or the oldest ones, are in the log.
 */
export interface PastResult {
  readonly end: BisectionEnd | 'unknown' | 'aborted';
  readonly requests: number;
  /** The error of the last failed request. */
  readonly error: ServiceError | undefined;
}

/** The progress of a search for a time. */
export interface PastProgress {
  readonly requests: number;
  /** Time of the oldest line so far that is at or after the wanted time, ms since the epoch. */
  readonly reached: number;
}

export interface PastSearch {
  /** The time to find, ms since the epoch. */
  readonly time: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PastProgress) => void;
}

export interface PastLines {
  /**
   * Reads the page with the first line at or after a time, by bisection over offsets.
   * @param from a line after the time, behind which lines are missing.
   */
  search(from: Entry<LogLine>, search: PastSearch): Promise<PastResult>;
  /**
   * Reads a page of the lines of an unread gap, before its end or after its start. Resolves to false
   * when no page came, or another one is being read.
   */
  readBeside(gap: GapEntry<LogLine>, side: 'older' | 'newer'): Promise<boolean>;
  /** Reads lines before the oldest loaded one until some are wanted. */
  walkOlder(walk: PastWalk): Promise<PastWalkResult>;
  /** Reads lines of an unread gap, from one side on, until some are wanted. */
  walkGap(gap: GapEntry<LogLine>, side: WalkSide, walk: PastWalk): Promise<PastWalkResult>;
  readonly hintedTime: PastWalks['hintedTime'];
  /**
   * Looks at pages at doubling distances before the oldest loaded line. Resolves to the number of lines
   * before it up to the first page that fits, or that tells that a clock has stepped back since;
   * undefined when none does.
   */
  findBefore(fits: (lines: readonly LogLine[]) => boolean): Promise<number | undefined>;
}

/** Most pages that are looked at for one that fits: enough for ten million lines. */
const mostProbes = 18;

interface Page {
  readonly request: BisectionRequest;
  readonly lines: readonly LogLine[];
}

/** Ends after which the last page is added to the log. */
const joinedEnds: ReadonlySet<BisectionEnd> = new Set(['found', 'begins', 'refused']);

export interface PastLinesOptions {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly query: Pick<LogQuery, 'service' | 'search'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly history: LogHistory;
  readonly sequence: Pick<Sequence<LogLine>, 'at' | 'indexOf' | 'slice'>;
  /** Returns the number of lines that the stream has delivered. */
  readonly received: () => number;
  /** Aborted when the log is closed. */
  readonly closed: AbortSignal;
}

export function createPastLines(options: PastLinesOptions): PastLines {
  const { client, deploymentId, query, clock, random, history, sequence, received } = options;
  const { past } = history;
  let isReading = false;

  const fetchPage: PageFetch = ({ offset, limit }, signal, text = query.search) =>
    client.fetch(deploymentId, { ...query, search: text, limit, offset }, signal);

  const search: PastLines['search'] = async (from, { time, signal: stopped, onProgress }) => {
    const signal = AbortSignal.any([stopped, options.closed]);
    const bisection = past.search(time, from.place, pastPageSize);
    if (bisection === undefined) return { end: 'unknown', requests: 0, error: undefined };
    const start = received();
    let error: ServiceError | undefined;
    /** The last page with lines. */
    let page: Page | undefined;
    for (;;) {
      const request = bisection.next(received() - start);
      const { requests, reached, end = 'exhausted' } = bisection;
      if (request === undefined) {
        if (page !== undefined && joinedEnds.has(end)) history.join(page.request, page.lines);
        return { end, requests, error };
      }
      onProgress({ requests, reached });
      const answer = await fetchPage(request, signal);
      if (signal.aborted) return { end: 'aborted', requests, error };
      if (answer.ok) {
        const lines = answer.value.lines.map(({ value }) => value);
        past.note(request, lines.length);
        bisection.page(request, past.read(lines.map(toRow)));
        if (lines.length > 0) page = { request, lines };
      } else {
        ({ error } = answer);
        await noteFailure(bisection, request, error, signal);
      }
    }
  };

  /** Waits before the request is repeated. */
  const noteFailure = async (
    bisection: TimeBisection,
    request: BisectionRequest,
    error: ServiceError,
    signal: AbortSignal,
  ): Promise<void> => {
    const why = failureOf(error);
    if (why === 'size') bisection.refused(request, smallPage);
    else {
      const failures = bisection.failed(request, why === 'final');
      if (failures === undefined) return;
      const wait = Math.max(backoffDelay(failures, random()), (error.retryAfter ?? 0) * 1000);
      await pause(clock, wait, signal);
    }
  };

  const walks = createPastWalks({ ...options, fetchPage });

  return {
    search,
    async walkOlder(walk) {
      const oldest = sequence.at(0);
      return oldest === undefined ? noWalk : walks.walk(pathToBeginning(past, oldest), walk);
    },
    async walkGap(gap, side, walk) {
      const path = pathThroughGap(past, sequence, gap, side);
      return path === undefined ? noWalk : walks.walk(path, walk);
    },
    hintedTime: (before, walk) => walks.hintedTime(before, walk),
    async findBefore(fits) {
      const oldest = sequence.at(0);
      if (oldest === undefined) return undefined;
      const start = past.beside(oldest.place, 'older', history.log.pages.offsets.pageSize);
      let nearer = middleTime(sequence.slice(0, start.limit).map(timeOf));
      for (let probe = 0, lines = start.limit; probe < mostProbes; probe += 1, lines *= 2) {
        const request = past.before(start, lines);
        if (request === undefined) return undefined;
        const answer = await fetchPage(request, options.closed);
        if (!answer.ok || answer.value.lines.length === 0) return undefined;
        const page = answer.value.lines.map(({ value }) => value);
        const middle = middleTime(page.map((line) => rowTime(toRow(line))));
        if (fits(page) || tellsStepBack(middle, nearer)) return lines + request.limit;
        nearer = middle ?? nearer;
      }
      return undefined;
    },
    async readBeside(gap, side) {
      const index = sequence.indexOf(gap.seq);
      const known = sequence.at(side === 'older' ? index + 1 : index - 1);
      if (isReading || known?.kind !== 'line') return false;
      isReading = true;
      const request = past.beside(known.place, side, pastPageSize);
      const answer = await fetchPage(request, options.closed);
      isReading = false;
      if (!answer.ok || options.closed.aborted || answer.value.lines.length === 0) return false;
      history.join(
        request,
        answer.value.lines.map(({ value }) => value),
      );
      return true;
    },
  };
}

function timeOf(entry: Entry<LogLine>): number | undefined {
  return entry.kind === 'line' ? rowTime(toRow(entry.line)) : undefined;
}
