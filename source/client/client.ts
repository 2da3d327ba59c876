/** Assembles the client of one service from its HTTP and WebSocket parts. */
import type { LowDisk } from '../contract/disk-header.ts';
import { createDeploymentsClient, type DeploymentsClient } from './deployments.ts';
import { parseEndpoint } from './http/endpoint.ts';
import type { WorkTurn } from './decode/long-list.ts';
import { createFilesClient, type FilesClient } from './files.ts';
import { createGrantsClient, type GrantsClient } from './grants.ts';
import type { Result, ServiceError } from './http/errors.ts';
import { createHttp, type Http, loadedPart, type WriteRefusal } from './http/http.ts';
import { defaultLimits, type Limits } from './http/limits.ts';
import type { Environment } from './http/proxy.ts';
import type {
  LogStream,
  LogStreamHandlers,
  LogStreamOptions,
  LogStreams,
  StreamAuthMode,
} from './stream/log-stream.ts';
import { createLogsClient, type LogsClient } from './logs.ts';
import { lazyPart } from '../system/lazy-part.ts';

/** A connection to one service, with every operation of the contract. */
export interface Client {
  /** Host and port of the base URL, for messages. */
  readonly host: string;
  readonly deployments: DeploymentsClient;
  readonly files: FilesClient;
  readonly logs: LogsClient;
  readonly grants: GrantsClient;
  /** Clock of the service minus the local clock in ms, from `Date` headers; 0 before any answer. */
  clockOffset(): number;
  /** Returns the space of the service's disk where its last answer said that it is low. */
  lowDisk(): LowDisk | undefined;
  /** Closes pooled connections. Requests in flight fail with `aborted`. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** An http or https URL; its path is prepended to every route. */
  readonly baseUrl: string;
  readonly token: string;
  /** Wallet address of the caller, named in errors about missing permissions. */
  readonly wallet?: string | undefined;
  /** Defaults to `header`. A token in a query ends up in access logs. */
  readonly streamAuth?: StreamAuthMode | undefined;
  readonly limits?: Partial<Limits>;
  /** Variables that may name a proxy; by default those of this process. */
  readonly environment?: Environment | undefined;
  /** Returns why writes are refused; undefined while they may be sent. Reads are always sent. */
  readonly writeRefusal?: (() => WriteRefusal | undefined) | undefined;
  /** Resolves before each part of the work on a long answer; by default in the next turn of the event loop. */
  readonly workTurn?: WorkTurn | undefined;
}

/**
 * Creates the client of one service. It connects with the first request. With an invalid base URL or
 * token, every operation returns a `local` error.
 */
export function createClient(options: ConnectOptions): Client {
  const { baseUrl, token, wallet, writeRefusal, workTurn, streamAuth: auth = 'header' } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const endpoint = parseEndpoint(baseUrl, token, options.environment ?? process.env);
  const http = createHttp({ baseUrl, endpoint, token, wallet, limits, writeRefusal, workTurn });
  return clientOver(http, lazyLogStreams({ http, endpoint, token, auth, limits }));
}

/** Creates the client of what answers requests and opens streams. */
export function clientOver(http: Http, streams: LogStreams): Client {
  return {
    host: http.host,
    deployments: createDeploymentsClient(http),
    files: createFilesClient(http),
    logs: createLogsClient(http, streams),
    grants: createGrantsClient(http),
    clockOffset: () => http.clockOffset(),
    lowDisk: () => http.lowDisk(),
    async close() {
      streams.close();
      await http.close();
    },
  };
}

const streamPart = lazyPart(() => import('./stream/log-stream.ts'));

/** Creates log streams that load the WebSocket library with the first stream. */
function lazyLogStreams(options: LogStreamOptions): LogStreams {
  let streams: LogStreams | undefined;

  async function load(): Promise<Result<LogStreams>> {
    // Loading blocks the event loop, so let the lists be drawn first.
    await new Promise(setImmediate);
    const part = await loadedPart(options.http, 'streamLogs', streamPart);
    if (!part.ok) return part;
    streams ??= part.value.createLogStreams(options);
    return { ok: true, value: streams };
  }

  return {
    open(id, handlers) {
      if (streams !== undefined) return streams.open(id, handlers);
      const open = load().then((loaded) =>
        loaded.ok ? (own: typeof handlers) => loaded.value.open(id, own) : loaded.error,
      );
      return createLazyStream(open, handlers);
    },
    close() {
      streams?.close();
    },
  };
}

/**
 * Returns a stream that opens once `opening` resolves and then applies an earlier pause or close. It
 * closes where `opening` resolves with an error.
 */
export function createLazyStream(
  opening: Promise<((handlers: LogStreamHandlers) => LogStream) | ServiceError>,
  handlers: LogStreamHandlers,
): LogStream {
  let stream: LogStream | undefined;
  let state: 'running' | 'paused' | 'closed' = 'running';

  async function openLater(): Promise<void> {
    const open = await opening;
    if (state === 'closed') return;
    if (typeof open !== 'function') return handlers.onClose(open);
    stream = open(handlers);
    if (state === 'paused') stream.pause();
  }

  void openLater();
  return {
    pause() {
      if (state === 'running') state = 'paused';
      stream?.pause();
    },
    resume() {
      if (state === 'paused') state = 'running';
      stream?.resume();
    },
    close() {
      state = 'closed';
      stream?.close();
    },
  };
}
