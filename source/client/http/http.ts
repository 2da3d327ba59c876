/** Sends the HTTP requests of one service over its connection pool and words their errors. */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isThisMachine } from '../../contract/base-url.ts';
import { diskHeader, type LowDisk, parseLowDisk } from '../../contract/disk-header.ts';
import {
  type OperationName,
  operations,
  type PathForm,
  type RouteParameters,
  routePath,
} from '../../contract/routes.ts';
import { createRedirectLoopError, createStatusError } from './answer-errors.ts';
import { nextTurn, type WorkTurn } from '../decode/long-list.ts';
import type { IncomingAnswer } from '../download.ts';
import { type Endpoint, parseHost, type UsableEndpoint } from './endpoint.ts';
import {
  type RequestTarget,
  type RequestName,
  createLocalError,
  createRequestTarget,
  createServiceError,
  type Result,
  type ServiceError,
  redactError,
  createUnaddressableError,
} from './errors.ts';
import { OversizedAnswer, TruncatedAnswer } from './interceptors.ts';
import type { Limits } from './limits.ts';
import type { ServicePool } from './pool.ts';
import { headerOf, openBody, readBytes, readError, redirectTarget } from './response.ts';
import { createTransportError } from './transport-errors.ts';
import { lazyPart, PartError } from '../../system/lazy-part.ts';
import { splitChunks } from './chunks.ts';
import type { Upload } from '../upload.ts';

const poolPart = lazyPart(() => import('./pool.ts'));
const tunnelPart = lazyPart(() => import('./tunnel.ts'));

/** One request: an operation with its parameters and content. */
export interface RequestCall extends RequestContent {
  readonly operation: OperationName;
  readonly parameters?: RouteParameters;
  readonly form?: PathForm;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** True for a GET that the caller repeats itself when the service limits requests. */
  readonly isRepeated?: boolean;
  /** Receives the bytes of the body sent so far. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** A complete successful answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  readonly lastModified: string | undefined;
}

/** The HTTP access to one service: requests, their errors, and the service's clock. */
export interface Http {
  readonly host: string;
  readonly limits: Limits;
  /** Resolves before each part of the work on a long answer. */
  readonly workTurn: WorkTurn;
  /** Returns the target from which errors of this operation are worded. */
  targetOf(operation: RequestName): RequestTarget;
  /** Sends a request. Anything but a complete answer with a 2xx status is an error value. */
  send(call: RequestCall): Promise<Result<HttpAnswer>>;
  /** Sends a GET whose answer may have any size. Calls `take` once, for a 2xx status. */
  receive<T>(call: RequestCall, take: Take<T>): Promise<Result<T>>;
  /** Returns a failed result without the token. */
  fail(error: ServiceError): { readonly ok: false; readonly error: ServiceError };
  /** Updates the clock offset from a `Date` header; `sentAt` in ms since the epoch. */
  observeDate(date: string | undefined, sentAt: number): void;
  clockOffset(): number;
  /** Returns the space of the service's disk where its last answer said that it is low. */
  lowDisk(): LowDisk | undefined;
  close(): Promise<void>;
}

type Take<T> = (coming: IncomingAnswer) => Promise<Result<T>>;

const maxRedirects = 5;

/** The reason why the connection refuses to write, and the next step. */
export interface WriteRefusal {
  readonly sentence: string;
  readonly next: string;
}

export interface HttpOptions {
  readonly baseUrl: string;
  readonly endpoint: Endpoint;
  readonly token: string;
  readonly wallet: string | undefined;
  readonly limits: Limits;
  /** Returns why writes are refused; undefined while they may be sent. */
  readonly writeRefusal?: (() => WriteRefusal | undefined) | undefined;
  readonly workTurn?: WorkTurn | undefined;
}

/**
 * Creates the HTTP access to one service. The first request loads undici and connects, so that the
 * first frame does not wait for it.
 */
export function createHttp(options: HttpOptions): Http {
  const { baseUrl, endpoint, token, wallet, limits, writeRefusal, workTurn = nextTurn } = options;
  const host = parseHost(baseUrl);
  // On one machine, coding an answer costs more than sending it.
  const isLocal = endpoint.ok && isThisMachine(endpoint.url.hostname);
  const acceptedCodings = isLocal ? 'identity' : 'gzip, deflate, br, zstd';
  const closing = new AbortController();
  /** Set once a request was sent. */
  let opened: ServicePool | undefined;
  let clock: ClockOffsetRange | undefined;
  let lowDisk: LowDisk | undefined;

  const targetOf = (operation: RequestName) =>
    createRequestTarget(operation, host, wallet, endpoint.ok ? endpoint.proxy : undefined);
  const fail = (error: ServiceError) => ({ ok: false, error: redactError(error, token) }) as const;

  const observeDate = (header: string | undefined, sentAt: number): void => {
    const date = Date.parse(header ?? '');
    if (!Number.isNaN(date))
      clock = narrowClockOffset(clock, { date, sentAt, receivedAt: Date.now() });
  };

  /** Sends one request; returns its answer, or the URL of a redirect to follow. */
  const exchange = async <T>(
    through: Dispatcher,
    call: RequestCall,
    take: Take<T>,
    url: URL,
    path: string,
    signal: AbortSignal,
  ): Promise<Result<T> | URL> => {
    const { method } = operations[call.operation];
    const sentAt = Date.now();
    const response = await through.request({
      method,
      path,
      ...buildRequestContent(call, token, acceptedCodings),
      signal,
    });
    const { statusCode: status, body } = response;
    const header = headerOf(response);
    observeDate(header('date'), sentAt);
    // A part of an answer must not be taken for the whole; none is requested.
    if (status >= 200 && status < 300 && status !== 206) {
      lowDisk = parseLowDisk(header(diskHeader));
      const coding = response.headers['content-encoding'];
      const length = coding === undefined ? header('content-length') : undefined;
      let result: Result<T> | undefined;
      try {
        result = await take({
          status,
          contentType: header('content-type'),
          length: length === undefined ? undefined : Number(length),
          lastModified: header('last-modified'),
          body: await openBody(body, coding),
        });
      } finally {
        if (result?.ok !== true) body.on('error', () => {}).destroy();
      }
      return result;
    }
    const location = header('location');
    const target = method === 'GET' ? redirectTarget(status, location, url) : undefined;
    if (target !== undefined) {
      await body.dump();
      return target;
    }
    const { text, problem } = await readError(body, response.headers['content-encoding']);
    const reply = { status, location, retryAfter: header('retry-after'), text, problem };
    return fail(createStatusError(targetOf(call.operation), reply, url, Date.now()));
  };

  /** Reads a complete answer into memory. */
  const readWhole: Take<HttpAnswer> = async ({
    status,
    length = 0,
    contentType,
    lastModified,
    body,
  }) => {
    // An announced length can be refused at once.
    if (length > limits.maxAnswer) throw new OversizedAnswer();
    const bytes = await readBytes(body, limits.maxAnswer);
    return { ok: true, value: { status, bytes, contentType, lastModified } };
  };

  /** Sends a request and follows the redirects of a GET. */
  const follow = async <T>(
    through: Dispatcher,
    call: RequestCall,
    take: Take<T>,
    url: URL,
    path: string,
    signal: AbortSignal,
  ): Promise<Result<T>> => {
    let answer = await exchange(through, call, take, url, path, signal);
    for (let hops = 0; answer instanceof URL; hops += 1) {
      if (hops === maxRedirects) {
        return fail(createRedirectLoopError(targetOf(call.operation), maxRedirects));
      }
      answer = await exchange(through, call, take, answer, answer.pathname + answer.search, signal);
    }
    return answer;
  };

  const openPool = async (at: UsableEndpoint): Promise<ServicePool> => {
    const { createPool } = await poolPart();
    // Most services are reached without a proxy, and start without the code for one.
    const route = at.proxy && (await tunnelPart()).routeThrough(at.proxy, at.url, limits);
    // Another request may have opened it meanwhile.
    return (opened ??= createPool(at.url, limits, route));
  };

  const sendOver = async <T>(
    choose: (pool: ServicePool) => Dispatcher,
    call: RequestCall,
    take: Take<T>,
  ): Promise<Result<T>> => {
    const target = targetOf(call.operation);
    const refusal = target.isWrite ? writeRefusal?.() : undefined;
    if (refusal !== undefined) {
      return fail(createServiceError(target, 'read-only', refusal.sentence, refusal.next));
    }
    if (!endpoint.ok) {
      return fail(createServiceError(target, endpoint.code, endpoint.sentence, endpoint.next));
    }
    // Loading and sending block the event loop, so a pending frame is drawn first.
    await new Promise(setImmediate);
    const path = pathOf(call, endpoint.prefix);
    if (path === undefined) return fail(createUnaddressableError(target));
    const signal = anyOf(closing.signal, call.signal);
    const pool = await loadedPart({ fail, targetOf }, call.operation, () => openPool(endpoint));
    if (!pool.ok) return pool;
    // A request that is cancelled before it is sent has a known outcome: none.
    if (signal.aborted)
      return fail(createTransportError({ ...target, isWrite: false }, cancelled(), limits));
    try {
      return await follow(
        choose(pool.value),
        call,
        take,
        new URL(path, endpoint.url),
        path,
        signal,
      );
    } catch (error) {
      const cause = error instanceof TruncatedAnswer ? error.cause : error;
      return fail(createTransportError(target, signal.aborted ? cancelled() : cause, limits));
    }
  };

  return {
    host,
    limits,
    workTurn,
    targetOf,
    fail,
    observeDate,
    clockOffset: () => estimateClockOffset(clock),
    lowDisk: () => lowDisk,
    send(call) {
      const isRead = operations[call.operation].method === 'GET';
      const choose = (pool: ServicePool) => {
        if (!isRead) return pool.writes(call.onSent);
        return call.isRepeated === true ? pool.repeatedReads : pool.reads;
      };
      return sendOver(choose, call, readWhole);
    },
    receive: (call, take) => sendOver((pool) => pool.downloads, call, take),
    async close() {
      closing.abort();
      await opened?.destroy();
    },
  };
}

/**
 * Loads a part of the client for an operation. Resolves with a failure, and nothing is sent, where its
 * files can't be read.
 */
export async function loadedPart<T>(
  { targetOf, fail }: Pick<Http, 'targetOf' | 'fail'>,
  operation: RequestName,
  load: () => Promise<T>,
): Promise<Result<T>> {
  try {
    return { ok: true, value: await load() };
  } catch (error) {
    if (!(error instanceof PartError)) throw error;
    return fail(createLocalError(targetOf(operation), error.message, ''));
  }
}

/** The error of an aborted request, whatever reason the caller aborted with. */
function cancelled(): Error {
  return new DOMException('cancelled', 'AbortError');
}

function pathOf(
  { operation, parameters, form, query }: RequestCall,
  prefix: string,
): string | undefined {
  try {
    const search = new URLSearchParams(
      Object.entries(query ?? {}).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, String(value)]],
      ),
    ).toString();
    const path = prefix + routePath(operation, parameters, form);
    return search === '' ? path : `${path}?${search}`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function anyOf(closing: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? closing : AbortSignal.any([closing, signal]);
}

/**
 * The range of possible offsets, in ms, of the service's clock from the local one. A `Date` header has
 * a resolution of one second and is written at an unknown time between request and answer, so one
 * answer gives a range; further answers narrow it.
 */
export interface ClockOffsetRange {
  readonly min: number;
  readonly max: number;
}

/** The `Date` header of one answer with the local times of request and answer, all in ms. */
interface DatedAnswer {
  readonly date: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * Returns the range narrowed by one more answer. An answer that contradicts the range means that a
 * clock was set, so the range restarts from that answer.
 */
export function narrowClockOffset(
  range: ClockOffsetRange | undefined,
  answer: DatedAnswer,
): ClockOffsetRange {
  const fresh = { min: answer.date - answer.receivedAt, max: answer.date + 999 - answer.sentAt };
  if (range === undefined) return fresh;
  const least = Math.max(range.min, fresh.min);
  const most = Math.min(range.max, fresh.max);
  return least <= most ? { min: least, max: most } : fresh;
}

/** Returns the middle of the range in ms, or 0 while the clocks may agree. */
export function estimateClockOffset(offset: ClockOffsetRange | undefined): number {
  if (offset === undefined || (offset.min <= 0 && offset.max >= 0)) return 0;
  return Math.round((offset.min + offset.max) / 2);
}

/** The body of a request and the accepted form of its answer. */
interface RequestContent {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as multipart/form-data. */
  readonly upload?: Upload;
  /** True to accept a file as raw bytes instead of JSON. */
  readonly acceptsBytes?: boolean;
}

/** Builds headers and body of a request; the answer may have one of the accepted content codings. */
function buildRequestContent(
  { json, upload, acceptsBytes }: RequestContent,
  token: string,
  acceptedCodings: string,
) {
  const headers = {
    authorization: `Bearer ${token}`,
    accept:
      acceptsBytes === true ? 'application/octet-stream, */*;q=0.5' : 'application/json, */*;q=0.5',
    'accept-encoding': acceptedCodings,
    'user-agent': 'hostdeck',
  };
  if (upload !== undefined) {
    const { contentType, length } = upload;
    return {
      headers: { ...headers, 'content-type': contentType, 'content-length': String(length) },
      body: upload.openBody(),
    };
  }
  if (json === undefined) return { headers, body: null };
  const text = Buffer.from(JSON.stringify(json));
  return {
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(text.length),
    },
    body: Readable.from(splitChunks(text), { objectMode: false }),
  };
}
