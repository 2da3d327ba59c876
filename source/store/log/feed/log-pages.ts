/** Runs the engine of a log, and requests the pages that it and the walks want. */
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
import { type Clock, pause } from '../../time/clock.ts';
import { backoffDelay, limitedRetries } from './backoff.ts';

/** The log of a service to request, and the engine that asks. */
export interface LogPagesOptions extends LogOptions {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly query: Pick<LogQuery, 'service' | 'search'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sequence: Sequence<LogLine>;
}

interface LogPagesEvents {
  /** Called after each event, with the lines that it inserted anywhere in the log. */
  readonly onChange: ChangeListener;
  /**
   * Called after each answer to a request; `error` is undefined when the answer is a page, even an
   * empty one.
   */
  readonly onAnswer: (error: ServiceError | undefined, request: PageRequest) => void;
  /** Called when the service has lines that its open stream has not delivered. */
  readonly onStreamBehind: () => void;
}

/**
 * Most room that a page gets in a full memory, as a multiple of its lines: the next live lines would
 * drop it at once, as the oldest one. A small memory gives a quarter of its lines.
 */
const roomFactor = 8;

/** Most pages of one attempt that follow at once. */
const mostAtOnce = 12;

export class LogPages {
  readonly log: Log<LogLine>;
  /** Pages away from the known lines. */
  readonly past: PastPages<LogLine>;
  readonly sequence: Sequence<LogLine>;
  readonly #options: LogPagesOptions;
  readonly #events: LogPagesEvents;
  readonly #controller = new AbortController();
  #cancelWait = (): void => {};
  /** Earliest time of the next request by the service's Retry-After, ms since the epoch. */
  #notBefore = 0;
  /** True after an answer that limits requests without a Retry-After. */
  #isLimited = false;
  #requested: PageRequest | undefined;
  /** The request before, and the requests that followed at once in the same attempt. */
  #last: PageRequest | undefined;
  #followed = 0;
  /** The request that waits for the end of its backoff. */
  #delayed: PageRequest | undefined;

  constructor(options: LogPagesOptions, events: LogPagesEvents) {
    this.#options = options;
    this.#events = events;
    this.sequence = options.sequence;
    this.log = new Log<LogLine>(options.sequence, options);
    this.past = new PastPages(this.log);
  }

  /** Aborted when the log is closed. */
  get closed(): AbortSignal {
    return this.#controller.signal;
  }

  /** Changes the log, and then requests what is missing. */
  run(change: (log: Log<LogLine>) => void): void {
    if (this.closed.aborted) return;
    change(this.log);
    this.#afterChange();
  }

  /** Appends a run of live lines. Returns false when the run must be sent as lines instead. */
  append(run: Run): boolean {
    if (this.closed.aborted) return true;
    if (!this.log.append(run)) return false;
    this.#afterChange();
    return true;
  }

  /**
   * Adds a page that was read away from the known lines. In a full memory, the oldest known lines make
   * room for it.
   */
  join(slice: PageSlice, lines: readonly LogLine[]): void {
    const { sequence } = this;
    // A small memory rather drops lines of the page than most of those that it has.
    const { lines: before } = sequence;
    const { length } = lines;
    const wanted = Math.max(length, Math.min(length * roomFactor, before / 4));
    while (!sequence.hasRoom(wanted) && sequence.lines > before / 2)
      if (!sequence.drop(this.#forget)) break;
    // Once the page is in, its lines come first, and nobody sees that others were dropped.
    if (sequence.lines < before) this.#events.onChange([], sequence.takeDropped());
    this.run((log) => log.join(slice, lines.map(toRow)));
  }

  /** Requests a page; with a text, only of lines in which the service finds it. */
  fetch({ limit, offset }: PageSlice, signal = this.closed, search = this.#options.query.search) {
    const { client, deploymentId, query } = this.#options;
    const ended = AbortSignal.any([signal, this.closed]);
    return client.fetch(deploymentId, { ...query, search, limit, offset }, ended);
  }

  /** Waits before a failed request is repeated, which was the failure with this number. */
  async pause(failures: number, error: ServiceError, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    const wait = Math.max(backoffDelay(failures, random()), (error.retryAfter ?? 0) * 1000);
    await pause(clock, wait, AbortSignal.any([signal, this.closed]));
  }

  /** Sends the request that waits for the end of a backoff, unless the service asked to wait. */
  hasten(): void {
    const delayed = this.#delayed;
    if (delayed === undefined || delayed !== this.#requested) return;
    if (this.#notBefore > this.#options.clock.now()) return;
    this.#cancelWait();
    void this.#answer(delayed);
  }

  stop(): void {
    this.#cancelWait();
    this.#controller.abort();
  }

  readonly #forget: Forget = (until, after) => {
    this.log.forget(until, after);
    return this.log.held.spans;
  };

  /** Trims the memory and requests the next page. */
  #afterChange(): void {
    this.sequence.trim(this.#forget);
    this.log.ask(this.#options.clock.now());
    const { asking } = this.log;
    if (asking !== this.#requested) {
      this.#cancelWait();
      this.#requested = asking;
      if (asking !== undefined) this.#request(asking);
    }
    this.#events.onChange(this.log.takeInserted(), this.sequence.takeDropped());
  }

  #request(request: PageRequest): void {
    const { clock, random } = this.#options;
    const skipped = this.#isLimited ? limitedRetries : 0;
    const { target, edge, attempt } = request;
    const last = this.#last;
    const isSame = last?.target === target && last.edge === edge && last.attempt === attempt;
    this.#followed = isSame && this.#followed < mostAtOnce ? this.#followed + 1 : 0;
    this.#last = request;
    const isAtOnce = attempt === 0 || this.#followed > 0;
    const backOff = isAtOnce ? 0 : backoffDelay(attempt + skipped, random());
    const wait = Math.max(backOff, this.#notBefore - clock.now());
    if (wait <= 0) void this.#answer(request);
    else {
      this.#delayed = request;
      this.#cancelWait = clock.after(wait, () => void this.#answer(request));
    }
  }

  async #answer(request: PageRequest): Promise<void> {
    if (this.closed.aborted) return;
    this.#delayed = undefined;
    const answer = await this.fetch(request);
    if (this.closed.aborted) return;
    this.#isLimited =
      !answer.ok && answer.error.code === 'rate-limited' && answer.error.retryAfter === undefined;
    if (answer.ok) {
      const rows = answer.value.lines.map(({ value }) => toRow(value));
      this.run((log) => {
        if (log.page(request, rows)) this.#events.onStreamBehind();
      });
    } else {
      const { error } = answer;
      this.#notBefore = this.#options.clock.now() + (error.retryAfter ?? 0) * 1000;
      this.run((log) => log.failed(request, failureOf(error)));
    }
    this.#events.onAnswer(answer.ok ? undefined : answer.error, request);
  }
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
