/** The log of one deployment: history, live lines and the lines after a reconnect in one order. */
import type { StoreApi } from 'zustand/vanilla';
import type { LogsClient } from '../../../client/logs.ts';
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { ShownAt } from '../../../tail/arena/trim.ts';
import type {
  ChangeListener,
  Entries,
  GapEntry,
  LineMessage,
} from '../../../tail/arena/entries.ts';
import { encodeFrame } from '../../../tail/arena/frame.ts';
import { toRow } from '../../../tail/arena/row.ts';
import { Sequence } from '../../../tail/arena/sequence.ts';
import type { Clock } from '../../time/clock.ts';
import { LogConnection, StallDetector } from './connection.ts';
import { createLineFilter, LogIngest } from './ingest.ts';
import { failureOf, LogPages } from './log-pages.ts';
import {
  defaultLogMemory,
  type LogMemory,
  type LogSource,
  type LogsState,
  type OlderState,
} from './log-source.ts';
import type { PageWalk, WalkSide, WalkStart } from './page-walk.ts';
import { type HintSearch, PastLines, type PastResult, type PastSearch } from './past-lines.ts';
import { LogPublishing } from './publishing.ts';

/** Tells how far the first history reaches back. */
export interface WantedHistory {
  /** Returns whether the entries before the index `end` reach back far enough. */
  readonly isReached: (entries: Entries<LogLine>, end: number) => boolean;
  /** Returns the number of lines read last that all lie before the wanted ones. */
  readonly linesBefore?: () => number;
  /**
   * The begin of the wanted times, ms since the epoch: once the first history reaches back far enough, pages at
   * doubling distances are looked at, and one with lines since then is read up to.
   */
  readonly since?: number | undefined;
  /** The end of the wanted times, ms since the epoch: what lies behind it is not read. */
  readonly until?: number | undefined;
}

export interface FollowedLogOptions extends LogMemory {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly clock: Clock;
  /** Returns a number in [0, 1) that spreads the reconnects of many consoles. */
  readonly random: () => number;
  /** Restricts the log to lines of this service. */
  readonly service?: string | undefined;
  /** Restricts the log to lines that contain this text, in any case. */
  readonly search?: string | undefined;
  /** Lines of history to load first. Default: 1000. */
  readonly initialLines?: number | undefined;
  /** The lines that the first history has to hold, before the log is ready. Default: any. */
  readonly reach?: WantedHistory | undefined;
  /** False to stop when the first history is loaded. */
  readonly follow?: boolean | undefined;
  /** True when the lines are written out, and can't be moved after that. */
  readonly isAppendOnly?: boolean | undefined;
  /** Attempts with backoff before a gap is given up. Default: 6, about 15 s. */
  readonly maxAttempts?: number | undefined;
  /**
   * Milliseconds between two notifications, more while lines rush by; 0 publishes every change at
   * once. Default: 33.
   */
  readonly publishInterval?: number | undefined;
}

/** Milliseconds between two checks of live lines against history. */
const checkInterval = 5000;

/** Lines of history that are loaded first. */
const defaultInitialLines = 1000;

/** Most lines that a page requests. */
const pageSize = 500;

export class FollowedLog implements LogSource {
  readonly deploymentId: string;
  readonly entries: Entries<LogLine>;
  readonly state: StoreApi<LogsState>;
  readonly #sequence: Sequence<LogLine>;
  readonly #clock: Clock;
  readonly #options: FollowedLogOptions;
  readonly #pages: LogPages;
  readonly #past: PastLines;
  readonly #connection: LogConnection;
  readonly #stalls: StallDetector;
  readonly #publishing: LogPublishing;
  readonly #listeners = new Set<ChangeListener>();
  #insertedLines = 0;
  #isStopped = false;
  /** The error that ended the stream of a closed deployment. */
  #completion: ServiceError | undefined;
  /** True when the page in flight was requested before the stream completed. It may lack the end. */
  #isPageStale = false;
  /** The last request for lines before the oldest one, if it failed. */
  #olderError: Omit<OlderState, 'older'> = { olderError: undefined };
  /** The last refusal of an offset where the newest lines were looked for. */
  #endRefusal: Omit<OlderState, 'older'> | undefined;
  #hasReachedBack: boolean;
  #hasReadEnd: boolean;
  /** Lines that are read for a page farther back that fits. */
  #wantedLines = 0;
  #isReading = false;
  #cancelCheck = (): void => {};

  constructor(options: FollowedLogOptions) {
    const { client, deploymentId, clock, random, service, search, reach } = options;
    const { initialLines = defaultInitialLines, maxAttempts = 6, publishInterval = 33 } = options;
    const { maxLines = defaultLogMemory.maxLines, maxBytes = defaultLogMemory.maxBytes } = options;
    this.#options = options;
    this.#clock = clock;
    this.deploymentId = deploymentId;
    this.#hasReachedBack = reach === undefined;
    this.#hasReadEnd = reach?.until === undefined;
    const sequence = new Sequence<LogLine>({
      row: toRow,
      encode: encodeFrame,
      decode(bytes, start, end) {
        const frame = client.decode(bytes, start, end);
        return frame.kind === 'line' ? frame.line : undefined;
      },
      plain: (logLine) => ({ logLine }),
      maxLines,
      maxBytes,
    });
    this.entries = sequence;
    this.#sequence = sequence;
    const shared = { client, deploymentId, clock, random };
    this.#pages = new LogPages(
      {
        ...shared,
        query: { service, search },
        sequence,
        history: initialLines,
        pageSize,
        patience: maxAttempts,
        isAppendOnly: options.isAppendOnly,
        isOnce: options.follow === false,
      },
      {
        onChange: (...change) => this.#changed(...change),
        onAnswer: (error, { target, offset }) => this.#answered(error, target, offset),
        onStreamBehind: () => this.#stalls.reportBehind(),
      },
    );
    this.#past = new PastLines(this.#pages, () => this.received());
    this.#connection = this.#connect(shared);
    this.#stalls = new StallDetector({
      clock,
      receivedLines: () => this.received(),
      onQuiet: () => {
        if (!this.#connection.isPaused) this.#pages.run((log) => log.audit());
      },
      onStalled: () => this.#connection.reportStall(),
    });
    this.#publishing = new LogPublishing(clock, publishInterval, () => ({
      connection: this.#connection.state,
      ready: this.#pages.log.isReady,
      labels: this.#pages.log.labels,
      ...this.#older(),
    }));
    this.state = this.#publishing.state;
    if (options.follow === false) this.#pages.run((log) => log.poll());
    else this.#connection.connect();
  }

  #connect(
    service: Pick<FollowedLogOptions, 'client' | 'deploymentId' | 'clock' | 'random'>,
  ): LogConnection {
    const { client, search, service: name } = this.#options;
    const ingest = new LogIngest({
      decode: (...message) => client.decode(...message),
      services: this.#sequence.services,
      accepts: createLineFilter(name, search),
      pages: this.#pages,
    });
    return new LogConnection(service, {
      onOpened: () => {
        this.#completion = undefined;
        this.#pages.run((log) => log.opened());
        this.#stalls.start();
        this.#cancelCheck();
        this.#cancelCheck = this.#clock.after(checkInterval, this.#check);
      },
      onFrames: (frames) => {
        const before = this.#insertedLines;
        const counts = ingest.ingest(frames);
        this.#publishing.count(counts);
        // Nobody knows whether lines that a filter leaves out are new.
        const isFiltered = (name ?? search) !== undefined;
        return this.#insertedLines > before || (isFiltered && counts.lines > 0);
      },
      onClosed: () => {
        this.#stalls.stop();
        this.#cancelCheck();
        this.#pages.run((log) => log.closed());
      },
      onCompleted: (error) => {
        this.#completion = error;
        this.#requestRest();
      },
      onPoll: () => this.#pages.run((log) => log.poll()),
      onState: () => this.#publishing.publishSoon(),
    });
  }

  /** Lets history confirm lines that the stream leaves open. */
  readonly #check = (): void => {
    this.#cancelCheck = this.#clock.after(checkInterval, this.#check);
    if (!this.#connection.isPaused) this.#pages.run((log) => log.tick());
  };

  #changed(...[inserted, dropped]: Parameters<ChangeListener>): void {
    for (const { count } of inserted) this.#insertedLines += count;
    for (const listener of this.#listeners) listener(inserted, dropped);
    this.#publishing.changed();
  }

  #answered(error: ServiceError | undefined, target: string, offset: number): void {
    // With no line at hand, the newest lines are earlier ones as well.
    const isOlder = target === 'older' || (target === 'head' && this.#sequence.length === 0);
    if (error !== undefined && failureOf(error) === 'size' && target === 'head' && offset > 0)
      this.#endRefusal = { olderError: error, olderErrorOffset: offset };
    if (error !== undefined && isOlder)
      this.#olderError = { olderError: error, olderErrorOffset: offset };
    if (error === undefined && (target === 'older' || target === 'head'))
      this.#olderError = { olderError: undefined };
    this.#reachBack(error);
    this.#publishing.publishSoon();
    this.#connection.reportAnswer(error);
    const completion = this.#completion;
    if (completion === undefined) {
      // Smaller or nearer pages are requested after a refused one.
      const isRefused = error !== undefined && this.#pages.log.asking === undefined;
      const isOver = isRefused || this.#isReady;
      if (this.#options.follow === false && isOver) this.#connection.stop(error);
    }
    // The next stream ends in the same way, and the rest is requested then.
    else if (error !== undefined) this.#connection.retryAfterError(error);
    else if (this.#isPageStale) this.#requestRest();
    else if (this.#pages.log.asking === undefined) this.#connection.stop(completion);
  }

  #requestRest(): void {
    this.#isPageStale = this.#pages.log.asking !== undefined;
    if (!this.#isPageStale) this.#pages.run((log) => log.poll());
  }

  get #isReady(): boolean {
    return this.#pages.log.isReady && this.#hasReachedBack;
  }

  /** Requests older lines until the first history reaches back far enough. */
  #reachBack(error: ServiceError | undefined): void {
    const { reach } = this.#options;
    const { log } = this.#pages;
    const entries = this.#sequence;
    if (reach === undefined || this.#hasReachedBack || this.#isReading) return;
    if (!log.isReady || log.asking !== undefined) return;
    const hasNoOlder = log.isComplete || entries.isFull || entries.length === 0;
    const isFarEnough =
      entries.lines >= this.#wantedLines && reach.isReached(entries, this.firstLive());
    if (error !== undefined || hasNoOlder || (isFarEnough && reach.since === undefined))
      this.#hasReachedBack = true;
    else if (!this.#hasReadEnd) void this.#readEnd(reach);
    else if (isFarEnough) void this.#probe(reach);
    else this.olderWanted(pageSize);
  }

  async #readEnd({ until = Number.POSITIVE_INFINITY }: WantedHistory): Promise<void> {
    this.#isReading = true;
    this.#hasReadEnd = true;
    await this.#past.readEnd(until);
    this.#isReading = false;
    if (!this.#isStopped) this.#reachBack(undefined);
  }

  async #probe({ since = 0, linesBefore }: WantedHistory): Promise<void> {
    this.#isReading = true;
    const { lines, error } = await this.#past.probe(since, linesBefore?.() ?? 0);
    this.#isReading = false;
    if (this.#isStopped || this.#hasReachedBack) return;
    if (error !== undefined) this.#olderError = { olderError: error };
    if (lines === undefined) {
      this.#hasReachedBack = true;
      for (const listener of this.#listeners) listener([]);
      this.#publishing.publishSoon();
      if (this.#options.follow === false) this.#connection.stop();
    } else {
      this.#wantedLines = this.#sequence.lines + lines;
      this.olderWanted(pageSize);
    }
  }

  #older(): OlderState {
    const { isComplete } = this.#pages.log;
    const older = isComplete ? 'none' : this.#sequence.isFull ? 'full' : 'more';
    const error = isComplete ? { olderError: undefined } : this.#olderError;
    return { older: this.#isLoadingOlder ? 'loading' : older, ...error };
  }

  get #isLoadingOlder(): boolean {
    return this.#pages.log.asking?.target === 'older';
  }

  received(): number {
    return this.#publishing.received;
  }

  services(): readonly string[] {
    return this.#sequence.services.names;
  }

  show(shown: ShownAt): void {
    this.#sequence.show(shown);
  }

  onInserted(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Returns the offset from which on the service refused the newest lines of a log that is read once, and its error;
   * undefined where it gave them.
   */
  endRefusal(): Omit<OlderState, 'older'> | undefined {
    return this.#pages.log.pages.end.isCutOff ? this.#endRefusal : undefined;
  }

  /** Returns whether the first history is loaded, or given up with a gap. */
  ready(): boolean {
    return this.#isReady || this.#connection.state.kind === 'stopped';
  }

  /** Returns the number of entries, from the oldest on, between which no lines are being fetched. */
  settled(): number {
    const isStopped = this.#connection.state.kind === 'stopped';
    return isStopped ? this.#sequence.length : this.#sequence.settled;
  }

  /** Returns the index of the first live entry; the number of entries while there is none. */
  firstLive(): number {
    const { start } = this.#pages.log.held;
    return start === undefined ? this.#sequence.length : this.#sequence.indexOfLine(start);
  }

  /** Returns true while the ids of the lines tell their order and the holes between them. */
  isById(): boolean {
    return this.#pages.log.isById;
  }

  /** Returns an entry without decoding its line. */
  messageAt(index: number): LineMessage | GapEntry<LogLine> | undefined {
    return this.#sequence.messageAt(index);
  }

  decode(message: LineMessage): LogLine {
    return this.#sequence.read(message);
  }

  olderWanted(lines: number): boolean {
    if (this.#pages.log.isComplete || this.#sequence.isFull || this.#isLoadingOlder) return false;
    this.#pages.run((log) => log.older(lines));
    return true;
  }

  async readTime(search: PastSearch): Promise<readonly PastResult[]> {
    const result = await this.#past.readTime(search);
    return result === undefined ? [] : [result];
  }

  readBeside(gap: GapEntry<LogLine>, side: WalkSide): Promise<boolean> {
    return this.#past.readBeside(gap, side);
  }

  walk(start: WalkStart): PageWalk | undefined {
    return this.#past.walk(start);
  }

  hintedTime(search: HintSearch): Promise<number | undefined> {
    return this.#past.hintedTime(search);
  }

  retryGaps(): void {
    const { initialLines = defaultInitialLines } = this.#options;
    const isEmpty = this.#sequence.length === 0;
    this.#pages.run((log) => log.retry());
    if (this.#olderError.olderError !== undefined && !this.#pages.log.isComplete)
      this.#pages.run((log) => (isEmpty ? log.poll() : log.older(initialLines)));
    this.#pages.hasten();
  }

  reconnect(): void {
    this.#connection.reconnect();
  }

  /** Fetches the newest lines and then stops, because the service completes no stream. */
  complete(error: ServiceError): void {
    if (this.#isStopped || this.#connection.state.kind === 'stopped') return;
    this.#completion = error;
    this.#requestRest();
  }

  /** Pauses reading from the stream, so that TCP applies back pressure, or resumes it. */
  setPaused(isPaused: boolean): void {
    this.#connection.setPaused(isPaused);
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#connection.stop();
    this.#pages.stop();
    this.#stalls.stop();
    this.#cancelCheck();
    this.#publishing.stop();
    this.#isStopped = true;
  }
}
