import type { LogsClient } from '../../../client/logs.ts';
import type { ErrorCode, ServiceError } from '../../../client/http/errors.ts';
import type { LogLine, LogQuery } from '../../../contract/logs.ts';
import { Log } from '../../../tail/log/log.ts';
import { PastPages } from '../../../tail/log/past-pages.ts';
import type { LogOptions, PageRequest, PageSlice } from '../../../tail/log/page-request.ts';
import { toRow } from '../../../tail/arena/row.ts';
import type { Run } from '../../../tail/arena/run.ts';
import type { Forget, Sequence } from '../../../tail/arena/sequence.ts';
import type { ChangeListener } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import { backoffDelay, limitedRetries } from './backoff.ts';

export interface LogHistoryOptions extends LogOptions {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly query: Pick<LogQuery, 'service' | 'search'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sequence: Sequence<LogLine>;
  /** Called after each event. */
  readonly onChange: ChangeListener;
  /**
   * Called after each answer to a request; `error` is undefined when the answer is a page, even an
   * empty one.
   */
  readonly onAnswer: (error: ServiceError | undefined, request: PageRequest) => void;
  /** Called when the service has lines that its open stream has not delivered. */
  readonly onStreamBehind: () => void;
}

/** Runs the log and fetches the pages that it requests. */
export interface LogHistory {
  readonly log: Log<LogLine>;
  /** Pages away from the known lines. */
  readonly past: PastPages<LogLine>;
  /** Changes the log, and then requests what is missing. */
  run(change: (log: Log<LogLine>) => void): void;
  /** Appends a run of live lines. Returns false when the run must be sent as lines instead. */
  append(run: Run): boolean;
  /**
   * Adds a page that was read away from the known lines. In a full memory, the oldest known lines make
   * room for it.
   */
  join(request: PageSlice, lines: readonly LogLine[]): void;
  /** Sends the request that waits for the end of a backoff, unless the service asked to wait. */
  hasten(): void;
  stop(): void;
}

/**
 * Most room that a page gets in a full memory, as a multiple of its lines: the next live lines would
 * drop it at once, as the oldest one. A small memory gives a quarter of its lines.
 */
const roomFactor = 8;

/** Most pages of one attempt that follow at once. */
const mostAtOnce = 12;

export function createLogHistory(options: LogHistoryOptions): LogHistory {
  const { client, deploymentId, query, clock, random, sequence } = options;
  const log = new Log<LogLine>(sequence, options);
  const past = new PastPages(log);
  const controller = new AbortController();
  const { signal } = controller;
  let cancelWait = (): void => {};
  /** Earliest time of the next request by the service's Retry-After, ms since the epoch. */
  let notBefore = 0;
  /** True after an answer that limits requests without a Retry-After. */
  let isLimited = false;
  let requested: PageRequest | undefined;
  /** The request before, and the requests that followed at once in the same attempt. */
  let last: PageRequest | undefined;
  let followed = 0;
  /** The request that waits for the end of its backoff. */
  let delayed: PageRequest | undefined;

  const run = (change: (log: Log<LogLine>) => void): void => {
    if (signal.aborted) return;
    change(log);
    afterChange();
  };

  const append = (run: Run): boolean => {
    if (signal.aborted) return true;
    if (!log.append(run)) return false;
    afterChange();
    return true;
  };

  const join = (request: PageSlice, lines: readonly LogLine[]): void => {
    // A small memory rather drops lines of the page than most of those that it has.
    const { lines: before } = sequence;
    const fewest = before / 2;
    const { length } = lines;
    const wanted = Math.max(length, Math.min(length * roomFactor, before / 4));
    while (!sequence.hasRoom(wanted) && sequence.lines > fewest) if (!sequence.drop(forget)) break;
    // Once the page is in, its lines come first, and nobody sees that others were dropped.
    if (sequence.lines < before) options.onChange([], sequence.takeDropped());
    run(() => past.join(request, lines.map(toRow)));
  };

  const forget: Forget = (until, after) => {
    log.forget(until, after);
    return log.held.spans;
  };

  /** Trims the memory and requests the next page. */
  const afterChange = (): void => {
    sequence.trim(forget);
    log.ask();
    const { asking } = log;
    if (asking !== requested) {
      cancelWait();
      requested = asking;
      if (asking !== undefined) requestPage(asking);
    }
    options.onChange(log.takeInserted(), sequence.takeDropped());
  };

  const requestPage = (request: PageRequest): void => {
    const skipped = isLimited ? limitedRetries : 0;
    const { target, edge, attempt } = request;
    const isSame = last?.target === target && last.edge === edge && last.attempt === attempt;
    followed = isSame && followed < mostAtOnce ? followed + 1 : 0;
    last = request;
    const backOff = attempt === 0 || followed > 0 ? 0 : backoffDelay(attempt + skipped, random());
    const wait = Math.max(backOff, notBefore - clock.now());
    if (wait <= 0) void fetchPage(request);
    else {
      delayed = request;
      cancelWait = clock.after(wait, () => void fetchPage(request));
    }
  };

  const hasten = (): void => {
    if (delayed === undefined || delayed !== requested || notBefore > clock.now()) return;
    cancelWait();
    void fetchPage(delayed);
  };

  const fetchPage = async (request: PageRequest): Promise<void> => {
    if (signal.aborted) return;
    delayed = undefined;
    const { limit, offset } = request;
    const answer = await client.fetch(deploymentId, { ...query, limit, offset }, signal);
    if (signal.aborted) return;
    isLimited =
      !answer.ok && answer.error.code === 'rate-limited' && answer.error.retryAfter === undefined;
    if (answer.ok) {
      const rows = answer.value.lines.map(({ value }) => toRow(value));
      run(() => {
        if (log.page(request, rows)) options.onStreamBehind();
      });
    } else {
      notBefore = clock.now() + (answer.error.retryAfter ?? 0) * 1000;
      const why = failureOf(answer.error);
      run(() => log.failed(request, why));
    }
    options.onAnswer(answer.ok ? undefined : answer.error, request);
  };

  const stop = (): void => {
    cancelWait();
    controller.abort();
  };

  return { log, past, run, append, join, hasten, stop };
}

/** Errors that may be due to the size of the page; smaller pages are requested after them. */
const sizeErrors = new Set<ErrorCode>(['bad-request', 'invalid', 'oversized-answer']);

/** Errors that a retry does not change. */
const permanentErrors = new Set<ErrorCode>([
  'unauthorized',
  'forbidden',
  'not-found',
  'redirected',
]);

export function failureOf({ code }: ServiceError): 'size' | 'final' | 'passing' {
  if (sizeErrors.has(code)) return 'size';
  return permanentErrors.has(code) ? 'final' : 'passing';
}
