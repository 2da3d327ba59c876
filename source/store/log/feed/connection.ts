import type { LogStream } from '../../../client/stream/log-stream.ts';
import type { LogsClient } from '../../../client/logs.ts';
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogFrames } from '../../../contract/logs.ts';
import type { Clock } from '../../time/clock.ts';
import { backoffDelay } from './backoff.ts';

/** State of the connection that delivers the newest lines. Times are ms since the epoch. */
export type LogConnectionState =
  /** `error` ended the previous attempt; undefined on the first. */
  | { readonly kind: 'connecting'; readonly error: ServiceError | undefined }
  | { readonly kind: 'live' }
  | { readonly kind: 'retrying'; readonly at: number; readonly error: ServiceError }
  /** The service offers no stream, for the given error; the log is polled by HTTP. */
  | { readonly kind: 'polling'; readonly error: ServiceError }
  /** No more lines come: stopped or complete, or failed for good when there is an error. */
  | { readonly kind: 'stopped'; readonly error: ServiceError | undefined };

export interface LogConnectionOptions {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly clock: Clock;
  readonly random: () => number;
}

interface LogConnectionEvents {
  readonly onOpened: () => void;
  /** Returns true when a message is a line that was not known. */
  readonly onFrames: (frames: LogFrames) => boolean;
  readonly onClosed: () => void;
  /** Called when the deployment is closed; the last lines must be fetched by HTTP. */
  readonly onCompleted: (error: ServiceError) => void;
  /** Called while there is no stream; the newest lines must be fetched by HTTP. */
  readonly onPoll: () => void;
  readonly onState: () => void;
}

/** Milliseconds between two polls by HTTP. */
const pollInterval = 2000;

/** Milliseconds between two attempts at a stream that the service refuses. */
const streamRetryInterval = 30_000;

/** Status codes that answer an upgrade when the service has no stream. */
const noStreamStatuses = new Set([404, 426, 501]);

/** Consecutive stalls after which the log is polled by HTTP instead. */
const maxStalls = 3;

/** Keeps a connection to the log stream open and reconnects when it is lost. */
export class LogConnection {
  readonly #options: LogConnectionOptions;
  readonly #events: LogConnectionEvents;
  #state: LogConnectionState = { kind: 'connecting', error: undefined };
  #stream: LogStream | undefined;
  #isOpen = false;
  #isPaused = false;
  #isConnectPending = false;
  #attempt = 0;
  #stalls = 0;
  #cancelRetry = (): void => {};
  #cancelPoll = (): void => {};

  constructor(options: LogConnectionOptions, events: LogConnectionEvents) {
    this.#options = options;
    this.#events = events;
  }

  get state(): LogConnectionState {
    return this.#state;
  }

  #enter(next: LogConnectionState): void {
    this.#state = next;
    this.#events.onState();
  }

  connect(): void {
    this.#cancelRetry();
    // While reading is paused, lines could not be stored; they wait on the service.
    this.#isConnectPending = this.#isPaused;
    if (this.#isPaused || this.#stream !== undefined) return;
    const { client, deploymentId } = this.#options;
    const before = this.#state;
    if (before.kind !== 'polling') {
      const error = before.kind === 'retrying' ? before.error : undefined;
      this.#enter({ kind: 'connecting', error });
    }
    const current = client.stream(deploymentId, {
      onOpen: () => {
        if (this.#stream !== current) return;
        this.#isOpen = true;
        this.#cancelPoll();
        this.#enter({ kind: 'live' });
        this.#events.onOpened();
      },
      onFrames: (frames) => {
        if (this.#stream !== current || !this.#events.onFrames(frames)) return;
        this.#attempt = 0;
        this.#stalls = 0;
      },
      onClose: (error) => {
        if (this.#stream === current) this.#close(error);
      },
    });
    this.#stream = current;
  }

  /** Handles the end of a stream, or the failure to open one. */
  #close(error: ServiceError): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#stream = undefined;
    if (wasOpen) this.#events.onClosed();
    if (error.code === 'aborted') this.stop();
    else if (error.code === 'ended' || (wasOpen && error.code === 'not-found')) {
      void this.#checkEnd(error);
    } else if (!wasOpen && noStreamStatuses.has(error.status ?? 0)) this.#poll(error);
    else {
      this.#retry(error);
      // Without a stream, the lines that HTTP delivers are better than none.
      if (!wasOpen) this.#events.onPoll();
    }
  }

  /** Reconnects unless the deployment is closed: services also end an idle stream in order. */
  async #checkEnd(error: ServiceError): Promise<void> {
    const { client, deploymentId } = this.#options;
    const checking = { kind: 'connecting', error } as const;
    this.#enter(checking);
    const ended = await client.isEnded(deploymentId);
    // The log was stopped or reconnected meanwhile.
    if (this.#state !== checking) return;
    if (!ended.ok) this.#retry(ended.error);
    else if (ended.value) this.#events.onCompleted(error);
    else this.#retry(endedEarlyError(deploymentId, error));
  }

  #retry(error: ServiceError): void {
    const { clock, random } = this.#options;
    this.#cancelPoll();
    this.#attempt += 1;
    const backoff = isRefusal(error) ? streamRetryInterval : backoffDelay(this.#attempt, random());
    const wait = Math.max(backoff, (error.retryAfter ?? 0) * 1000);
    this.#connectIn(wait);
    this.#enter({ kind: 'retrying', at: clock.now() + wait, error });
  }

  #connectIn(wait: number): void {
    this.#cancelRetry();
    this.#cancelRetry = this.#options.clock.after(wait, () => this.connect());
  }

  #poll(error: ServiceError): void {
    this.#cancelPoll();
    this.#connectIn(streamRetryInterval);
    if (this.#state.kind !== 'polling') this.#enter({ kind: 'polling', error });
    const pollAgain = (): void => {
      this.#cancelPoll = this.#options.clock.after(pollInterval, pollAgain);
      if (!this.#isPaused) this.#events.onPoll();
    };
    pollAgain();
  }

  #drop(): void {
    this.#stream?.close();
    this.#stream = undefined;
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    if (wasOpen) this.#events.onClosed();
  }

  stop(error?: ServiceError): void {
    this.#isConnectPending = false;
    this.#cancelRetry();
    this.#cancelPoll();
    this.#drop();
    this.#enter({ kind: 'stopped', error });
  }

  /** Reconnects at once instead of waiting, also after a stop. */
  reconnect(): void {
    this.#attempt = 0;
    if (this.#state.kind !== 'live') this.connect();
  }

  /** Reconnects after a backoff, because the rest of a completed stream could not be fetched. */
  retryAfterError(error: ServiceError): void {
    if (this.#state.kind !== 'stopped') this.#retry(error);
  }

  /** Reconnects, because the open stream delivers nothing although the log grows. */
  reportStall(): void {
    if (this.#isPaused || this.#state.kind !== 'live') return;
    const error = stalledError(this.#options.deploymentId);
    this.#stalls += 1;
    this.#drop();
    if (this.#stalls >= maxStalls) this.#poll(error);
    else this.#retry(error);
  }

  /** Reports an HTTP answer, which shows whether the service is up and the deployment exists. */
  reportAnswer(error: ServiceError | undefined): void {
    if (this.#isOpen || this.#state.kind === 'stopped' || error === undefined) return;
    if (error.code === 'not-found') this.stop(error);
    // The service is down or rejects the token: show that, and wait.
    else if (this.#state.kind === 'polling' && (error.status === undefined || isRefusal(error))) {
      this.#retry(error);
    }
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Pauses or resumes reading from the stream. */
  setPaused(next: boolean): void {
    if (this.#isPaused === next) return;
    this.#isPaused = next;
    if (this.#isPaused) this.#stream?.pause();
    else this.#stream?.resume();
    if (!this.#isPaused && this.#isConnectPending) this.connect();
  }
}

function isRefusal({ code }: ServiceError): boolean {
  return code === 'unauthorized' || code === 'forbidden';
}

function endedEarlyError(deploymentId: string, error: ServiceError): ServiceError {
  return {
    ...error,
    code: 'disconnected',
    sentence: `The service ended the log stream of ${deploymentId}, which is not closed.`,
    next: 'Reconnecting automatically.',
  };
}

function stalledError(deploymentId: string): ServiceError {
  return {
    code: 'timeout',
    operation: 'stream logs',
    sentence: `The log stream of ${deploymentId} delivers nothing although the log grows.`,
    next: 'Fetching the log by HTTP instead.',
    unknownOutcome: false,
  };
}

/** Seconds of silence at which a stream is compared with the service's log; later every 30. */
const silences = [5, 10, 20];
const laterInterval = 30;

function isDue(silence: number): boolean {
  const last = silences.at(-1) ?? 0;
  return silences.includes(silence) || (silence > last && (silence - last) % laterInterval === 0);
}

/** Milliseconds that a line may reach the stream later than the answers over HTTP. */
const deliveryTime = 1000;

interface StallDetectorOptions {
  readonly clock: Clock;
  /** Returns the number of lines that the stream has delivered so far. */
  readonly receivedLines: () => number;
  /** Called when the stream is quiet; the owner then compares it with the service's log. */
  readonly onQuiet: () => void;
  /** Called when the service has newer lines that the stream still does not deliver. */
  readonly onStalled: () => void;
}

/** Detects an open stream that has stopped delivering without being closed. */
export class StallDetector {
  readonly #options: StallDetectorOptions;
  #cancelNext = (): void => {};
  #cancelCheck = (): void => {};

  constructor(options: StallDetectorOptions) {
    this.#options = options;
  }

  start(): void {
    this.stop();
    this.#count(0, this.#options.receivedLines());
  }

  /** Counts seconds instead of reading the clock, which may be set. */
  #count(silence: number, before: number): void {
    const { clock, receivedLines, onQuiet } = this.#options;
    this.#cancelNext = clock.after(1000, () => {
      const received = receivedLines();
      const now = received === before ? silence + 1 : 0;
      this.#count(now, received);
      if (isDue(now)) onQuiet();
    });
  }

  /** Reports that the service has lines that the stream has not delivered. */
  reportBehind(): void {
    const { clock, receivedLines, onStalled } = this.#options;
    const before = receivedLines();
    this.#cancelCheck();
    this.#cancelCheck = clock.after(deliveryTime, () => {
      if (receivedLines() === before) onStalled();
    });
  }

  stop(): void {
    this.#cancelNext();
    this.#cancelCheck();
  }
}
