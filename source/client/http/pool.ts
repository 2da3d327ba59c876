import { type buildConnector, type Dispatcher, interceptors, Pool } from 'undici';
import { countSent, failTruncatedAnswers } from './interceptors.ts';
import type { Limits } from './limits.ts';
import { retryableStatuses, retryDelay } from './retry.ts';

/** The connections to one service. */
export interface ServicePool {
  /** For GETs, with retries after transient failures. */
  readonly reads: Dispatcher;
  /** For GETs that the caller repeats itself when the service limits requests. */
  readonly repeatedReads: Dispatcher;
  /** For GETs whose answer is streamed and may have any size. */
  readonly downloads: Dispatcher;
  /** For writes, which are never retried. `onSent` receives the bytes of the body sent so far. */
  writes(onSent: ((bytes: number) => void) | undefined): Dispatcher;
  /** Closes all connections. */
  destroy(): Promise<void>;
}

/** Connections for lists, a tail and an upload at once. */
const connections = 8;

/** Connections for downloads, in a pool of their own because undici limits answer sizes by pool. */
const downloadConnections = 2;

/** The way to a service through a proxy. */
export interface Route {
  /** Origin to connect to: the service's, or the proxy's. */
  readonly origin: string;
  readonly connect: buildConnector.connector;
  /** Turns requests to the service into requests to the proxy. */
  readonly interceptors: readonly Dispatcher.DispatcherComposeInterceptor[];
}

/** Creates the connection pools of one service; they connect with the first request. */
export function createPool(url: URL, limits: Limits, route?: Route): ServicePool {
  const options = {
    connect: route?.connect ?? { timeout: limits.connectTimeout },
    // Longer than the refresh interval of lists, to save handshakes. Shorter than the minute after
    // which load balancers drop idle connections, because a write must not hit such a drop.
    keepAliveTimeout: 30_000,
    maxHeaderSize: limits.maxHeaders,
    headersTimeout: limits.answerTimeout,
    bodyTimeout: limits.answerTimeout,
    // HTTP/1.1 carries one answer on a connection, so a lost connection fails only one request.
    allowH2: false,
  };
  const { origin } = route ?? url;
  const routing = route?.interceptors ?? [];
  const pool = new Pool(origin, {
    ...options,
    connections,
    maxResponseSize: limits.maxAnswer,
  });
  const large = new Pool(origin, { ...options, connections: downloadConnections });
  const retrying = (isRepeated: boolean) => [
    ...routing,
    failTruncatedAnswers,
    interceptors.retry(retryOptions(limits, isRepeated)),
  ];
  return {
    reads: pool.compose(retrying(false)),
    repeatedReads: pool.compose(retrying(true)),
    downloads: large.compose(retrying(false)),
    writes: (onSent) =>
      pool.compose(onSent === undefined ? [...routing] : [...routing, countSent(onSent)]),
    async destroy() {
      await Promise.all([pool.destroy(), large.destroy()]);
    },
  };
}

/** Returns undici's retry options for GETs; after the last retry, the error answer is passed on. */
function retryOptions(
  limits: Limits,
  isRepeated: boolean,
): Parameters<typeof interceptors.retry>[0] {
  return {
    methods: ['GET'],
    statusCodes: retryableStatuses,
    throwOnError: false,
    // Return the timer so that undici can clear it when the caller cancels.
    retry: (error, { state }, done) => {
      const attempt = { ...failureOf(error), attempt: state.counter, isRepeated };
      const delay = retryDelay(attempt, limits, Date.now(), Math.random());
      return delay === undefined ? done(error) : setTimeout(() => done(null), delay);
    },
  };
}

function failureOf(error: Error) {
  const { code, statusCode, headers } = error as Error & {
    code?: string;
    statusCode?: number;
    headers?: Record<string, string | string[]>;
  };
  const retryAfter = headers?.['retry-after'];
  return {
    code,
    status: statusCode,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  };
}
