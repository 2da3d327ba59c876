import { type Dispatcher, interceptors, Pool } from 'undici';
import { countSent, wholeAnswers } from './interceptors.ts';
import type { Limits } from './limits.ts';
import { retryableStatuses, retryDelay } from './retry.ts';

/** The connections to one service. */
export interface ServicePool {
  /** For GETs: asks again after failures that pass by themselves. */
  readonly reads: Dispatcher;
  /** For GETs whose answer, of any size, is not taken into memory. */
  readonly downloads: Dispatcher;
  /** For writes, which are never sent twice. `onSent` is told the bytes of the body sent so far. */
  writes(onSent: ((bytes: number) => void) | undefined): Dispatcher;
  /** Ends all connections. */
  destroy(): Promise<void>;
}

/** Enough for lists, a tail and an upload at once without crowding the service. */
const connections = 8;

/** Downloads have connections of their own: undici bounds answers by the pool. */
const downloadConnections = 2;

export function openPool(url: URL, limits: Limits): ServicePool {
  const options = {
    connect: { timeout: limits.connectTimeout },
    // Longer than lists are left alone, so that a refresh needs no new handshake; shorter than the
    // minute after which balancers drop idle connections, for a write must not meet such a drop.
    keepAliveTimeout: 30_000,
    headersTimeout: limits.answerTimeout,
    bodyTimeout: limits.answerTimeout,
    // One answer a connection: a large one holds up nothing else, and a cut hits one request only.
    allowH2: false,
  };
  const pool = new Pool(url.origin, {
    ...options,
    connections,
    maxResponseSize: limits.maxAnswer,
  });
  const large = new Pool(url.origin, { ...options, connections: downloadConnections });
  const retrying = [wholeAnswers, interceptors.retry(retryOptions(limits))];
  return {
    reads: pool.compose(retrying),
    downloads: large.compose(retrying),
    writes: (onSent) => (onSent === undefined ? pool : pool.compose(countSent(onSent))),
    async destroy() {
      await Promise.all([pool.destroy(), large.destroy()]);
    },
  };
}

/** Undici repeats GETs with our policy; an answer that stays an error is handed over as it is. */
function retryOptions(limits: Limits): Parameters<typeof interceptors.retry>[0] {
  return {
    methods: ['GET'],
    statusCodes: retryableStatuses,
    throwOnError: false,
    // The timer is given back so that undici can clear it when the caller cancels.
    retry: (error, { state }, done) => {
      const attempt = { ...failureOf(error), attempt: state.counter };
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
