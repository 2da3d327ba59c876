import type { LogStream, LogsClient } from '../../../client/client.ts';
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogFrames } from '../../../contract/logs.ts';
import type { Clock } from '../../time/clock.ts';
import { backoffDelay } from './backoff.ts';

/** How the newest lines come in. Times are ms since the epoch. */
export type LogConnectionState =
  /** `error` ended the last try; undefined on the first. */
  | { readonly kind: 'connecting'; readonly error: ServiceError | undefined }
  | { readonly kind: 'live' }
  | { readonly kind: 'retrying'; readonly at: number; readonly error: ServiceError }
  /** There is no stream to be had, for the reason given; HTTP is asked every two seconds. */
  | { readonly kind: 'polling'; readonly error: ServiceError }
  /** Nothing more comes: stopped, done, or, with an error, pointless. */
  | { readonly kind: 'stopped'; readonly error: ServiceError | undefined };

export interface LogConnectionOptions {
  readonly client: LogsClient;
  readonly deploymentId: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onOpened: () => void;
  /** Gives how many log lines there were among the messages. */
  readonly onFrames: (frames: LogFrames) => number;
  readonly onOther: (kind: string) => void;
  readonly onClosed: () => void;
  /** The service has completed the stream: the last lines are to be asked for by HTTP. */
  readonly onEnded: (error: ServiceError) => void;
  /** There is no stream now: the newest lines are to be asked for by HTTP. */
  readonly onPoll: () => void;
  readonly onState: () => void;
}

/** Keeps a connection to the log stream: connects, and connects again. */
export interface LogConnection {
  state(): LogConnectionState;
  connect(): void;
  /** Tries again after a while: what was asked for behind a completed stream was not answered. */
  lost(error: ServiceError): void;
  /** Tries at once instead of waiting, also after it has stopped. */
  retry(): void;
  /** The open stream delivers nothing although the log grows. */
  stalled(): void;
  /** What HTTP answered: says whether the service is there, and whether it knows the deployment. */
  answered(error: ServiceError | undefined): void;
  /** Stops reading from the stream, and starts again. */
  hold(held: boolean): void;
  stop(error?: ServiceError): void;
}

const pollEvery = 2000;

/** Between tries of a stream that the service refuses, ms. */
const refusedEvery = 30_000;

/** Answers to an upgrade that mean: there is no stream here. */
const noStream = new Set([404, 426, 501]);

/** Silent streams in a row after which HTTP is asked instead. */
const mostStalls = 3;

export function createLogConnection(options: LogConnectionOptions): LogConnection {
  const { client, deploymentId, clock, random } = options;
  let state: LogConnectionState = { kind: 'connecting', error: undefined };
  let stream: LogStream | undefined;
  let opened = false;
  let held = false;
  let isDue = false;
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
    // What would come now could not be taken: it waits on the service until it can.
    isDue = held;
    if (held || stream !== undefined) return;
    if (state.kind !== 'polling') {
      enter({ kind: 'connecting', error: state.kind === 'retrying' ? state.error : undefined });
    }
    const current = client.stream(deploymentId, {
      onOpen() {
        if (stream !== current) return;
        opened = true;
        cancelPoll();
        enter({ kind: 'live' });
        options.onOpened();
      },
      onFrames(frames) {
        if (stream !== current || options.onFrames(frames) === 0) return;
        attempt = 0;
        stalls = 0;
      },
      onOther(kind) {
        if (stream === current) options.onOther(kind);
      },
      onClose(error) {
        if (stream === current) lose(error);
      },
    });
    stream = current;
  };

  /** The stream is gone, or was never there. */
  const lose = (error: ServiceError): void => {
    const wasOpen = opened;
    opened = false;
    stream = undefined;
    if (wasOpen) options.onClosed();
    if (error.code === 'aborted') stop();
    else if (error.code === 'ended') {
      enter({ kind: 'connecting', error });
      options.onEnded(error);
    } else if (!wasOpen && noStream.has(error.status ?? 0)) poll(error);
    else {
      waitAfter(error);
      // Without a stream, what there is by HTTP is better than nothing.
      if (!wasOpen) options.onPoll();
    }
  };

  const waitAfter = (error: ServiceError): void => {
    cancelPoll();
    attempt += 1;
    const wait = isRefusal(error) ? refusedEvery : backoffDelay(attempt, random());
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
    cancelRetry = clock.after(refusedEvery, connect);
    if (state.kind !== 'polling') enter({ kind: 'polling', error });
    const again = (): void => {
      cancelPoll = clock.after(pollEvery, again);
      if (!held) options.onPoll();
    };
    again();
  };

  const drop = (): void => {
    stream?.close();
    stream = undefined;
    const wasOpen = opened;
    opened = false;
    if (wasOpen) options.onClosed();
  };

  const stop = (error?: ServiceError): void => {
    isDue = false;
    cancelRetry();
    cancelPoll();
    drop();
    enter({ kind: 'stopped', error });
  };

  return {
    state: () => state,
    connect,
    retry() {
      attempt = 0;
      if (state.kind !== 'live') connect();
    },
    lost(error) {
      if (state.kind !== 'stopped') waitAfter(error);
    },
    stalled() {
      const error = silentStream(deploymentId);
      stalls += 1;
      drop();
      if (stalls >= mostStalls) poll(error);
      else waitAfter(error);
    },
    answered(error) {
      if (opened || state.kind === 'stopped' || error === undefined) return;
      if (error.code === 'not-found') stop(error);
      // The service itself is away, or lets nobody in: that is to be said, and waited for.
      else if (state.kind === 'polling' && (error.status === undefined || isRefusal(error))) {
        waitAfter(error);
      }
    },
    hold(next) {
      if (held === next) return;
      held = next;
      if (held) stream?.pause();
      else stream?.resume();
      if (!held && isDue) connect();
    },
    stop,
  };
}

function isRefusal({ code }: ServiceError): boolean {
  return code === 'unauthorized' || code === 'forbidden';
}

function silentStream(deploymentId: string): ServiceError {
  return {
    code: 'timeout',
    operation: 'stream logs',
    sentence: `The log stream of ${deploymentId} delivers nothing although the log grows.`,
    next: 'Fetching the log by HTTP instead.',
    unknownOutcome: false,
  };
}
