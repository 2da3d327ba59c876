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

/** Keeps a connection to the log stream open and reconnects when it is lost. */
export interface LogConnection {
  state(): LogConnectionState;
  connect(): void;
  /** Reconnects after a backoff, because the rest of a completed stream could not be fetched. */
  retryAfterError(error: ServiceError): void;
  /** Reconnects at once instead of waiting, also after a stop. */
  reconnect(): void;
  /** Reconnects, because the open stream delivers nothing although the log grows. */
  reportStall(): void;
  /** Reports an HTTP answer, which shows whether the service is up and the deployment exists. */
  reportAnswer(error: ServiceError | undefined): void;
  /** Pauses or resumes reading from the stream. */
  setPaused(isPaused: boolean): void;
  stop(error?: ServiceError): void;
}

/** Milliseconds between two polls by HTTP. */
const pollInterval = 2000;

/** Milliseconds between two attempts at a stream that the service refuses. */
const streamRetryInterval = 30_000;

/** Status codes that answer an upgrade when the service has no stream. */
const noStreamStatuses = new Set([404, 426, 501]);

/** Consecutive stalls after which the log is polled by HTTP instead. */
const maxStalls = 3;

export function createLogConnection(options: LogConnectionOptions): LogConnection {
  const { client, deploymentId, clock, random } = options;
  let state: LogConnectionState = { kind: 'connecting', error: undefined };
  let stream: LogStream | undefined;
  let isOpen = false;
  let isPaused = false;
  let isConnectPending = false;
  let attempt = 0;
  let stalls = 0;
  let cancelRetry = (): void => {};
  let cancelPoll = (): void => {};

  const enter = (next: LogConnectionState): void => {
    state = next;
    options.onState();
  };

  const connect = (): void => {
    cancelRetry();
    // While reading is paused, lines could not be stored; they wait on the service.
    isConnectPending = isPaused;
    if (isPaused || stream !== undefined) return;
    if (state.kind !== 'polling') {
      enter({ kind: 'connecting', error: state.kind === 'retrying' ? state.error : undefined });
    }
    const current = client.stream(deploymentId, {
      onOpen() {
        if (stream !== current) return;
        isOpen = true;
        cancelPoll();
        enter({ kind: 'live' });
        options.onOpened();
      },
      onFrames(frames) {
        if (stream !== current || !options.onFrames(frames)) return;
        attempt = 0;
        stalls = 0;
      },
      onClose(error) {
        if (stream === current) handleClose(error);
      },
    });
    stream = current;
  };

  /** Handles the end of a stream, or the failure to open one. */
  const handleClose = (error: ServiceError): void => {
    const wasOpen = isOpen;
    isOpen = false;
    stream = undefined;
    if (wasOpen) options.onClosed();
    if (error.code === 'aborted') stop();
    else if (error.code === 'ended' || (wasOpen && error.code === 'not-found')) {
      void checkEnd(error);
    } else if (!wasOpen && noStreamStatuses.has(error.status ?? 0)) poll(error);
    else {
      retryAfterError(error);
      // Without a stream, the lines that HTTP delivers are better than none.
      if (!wasOpen) options.onPoll();
    }
  };

  /** Reconnects unless the deployment is closed: services also end an idle stream in order. */
  const checkEnd = async (error: ServiceError): Promise<void> => {
    const checking = { kind: 'connecting', error } as const;
    enter(checking);
    const ended = await client.isEnded(deploymentId);
    // The log was stopped or reconnected meanwhile.
    if (state !== checking) return;
    if (!ended.ok) retryAfterError(ended.error);
    else if (ended.value) options.onCompleted(error);
    else retryAfterError(endedEarlyError(deploymentId, error));
  };

  const retryAfterError = (error: ServiceError): void => {
    cancelPoll();
    attempt += 1;
    const wait = isRefusal(error) ? streamRetryInterval : backoffDelay(attempt, random());
    retryIn(Math.max(wait, (error.retryAfter ?? 0) * 1000), error);
  };

  const retryIn = (wait: number, error: ServiceError): void => {
    cancelRetry();
    cancelRetry = clock.after(wait, connect);
    enter({ kind: 'retrying', at: clock.now() + wait, error });
  };

  const poll = (error: ServiceError): void => {
    cancelPoll();
    cancelRetry();
    cancelRetry = clock.after(streamRetryInterval, connect);
    if (state.kind !== 'polling') enter({ kind: 'polling', error });
    const pollAgain = (): void => {
      cancelPoll = clock.after(pollInterval, pollAgain);
      if (!isPaused) options.onPoll();
    };
    pollAgain();
  };

  const drop = (): void => {
    stream?.close();
    stream = undefined;
    const wasOpen = isOpen;
    isOpen = false;
    if (wasOpen) options.onClosed();
  };

  const stop = (error?: ServiceError): void => {
    isConnectPending = false;
    cancelRetry();
    cancelPoll();
    drop();
    enter({ kind: 'stopped', error });
  };

  return {
    state: () => state,
    connect,
    reconnect() {
      attempt = 0;
      if (state.kind !== 'live') connect();
    },
    retryAfterError(error) {
      if (state.kind !== 'stopped') retryAfterError(error);
    },
    reportStall() {
      const error = stalledError(deploymentId);
      stalls += 1;
      drop();
      if (stalls >= maxStalls) poll(error);
      else retryAfterError(error);
    },
    reportAnswer(error) {
      if (isOpen || state.kind === 'stopped' || error === undefined) return;
      if (error.code === 'not-found') stop(error);
      // The service is down or rejects the token: show that, and wait.
      else if (state.kind === 'polling' && (error.status === undefined || isRefusal(error))) {
        retryAfterError(error);
      }
    },
    setPaused(next) {
      if (isPaused === next) return;
      isPaused = next;
      if (isPaused) stream?.pause();
      else stream?.resume();
      if (!isPaused && isConnectPending) connect();
    },
    stop,
  };
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
