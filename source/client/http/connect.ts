import type { Client } from '../client.ts';
import { createDeploymentsClient } from '../deployments.ts';
import { endpointOf } from './endpoint.ts';
import { createFilesClient } from '../files.ts';
import { createGrantsClient } from '../grants.ts';
import { createHttp } from './http.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { lazyStream } from '../stream/lazy-stream.ts';
import type { LogStreamOptions, LogStreams, StreamAuthMode } from '../stream/log-stream.ts';
import { createLogsClient } from '../logs.ts';

export interface ConnectOptions {
  /** An http or https URL; a path in it is kept before every route. */
  readonly baseUrl: string;
  readonly token: string;
  /** Wallet address of the caller where it is known, for saying who is not allowed something. */
  readonly wallet?: string | undefined;
  /** `header`, unless the service wants it otherwise; a token in a query ends up in access logs. */
  readonly streamAuth?: StreamAuthMode | undefined;
  readonly limits?: Partial<Limits>;
}

/**
 * The client of one service. Connects when it is first asked something; a base URL or a token that
 * cannot be used makes every operation answer with a `local` error that says so.
 */
export function createClient(options: ConnectOptions): Client {
  const { baseUrl, token, wallet, streamAuth: auth = 'header' } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const endpoint = endpointOf(baseUrl, token);
  const http = createHttp({ baseUrl, endpoint, token, wallet, limits });
  const streams = lateLogStreams({ http, endpoint, token, auth, limits });
  return {
    host: http.host,
    deployments: createDeploymentsClient(http),
    files: createFilesClient(http),
    logs: createLogsClient(http, streams),
    grants: createGrantsClient(http),
    clockOffset: () => http.clockOffset(),
    async close() {
      streams.close();
      await http.close();
    },
  };
}

/** Log streams whose library is loaded when the first one is opened: the lists come before it. */
function lateLogStreams(options: LogStreamOptions): LogStreams {
  let streams: LogStreams | undefined;
  let loading: Promise<LogStreams> | undefined;

  async function load(): Promise<LogStreams> {
    // Loading takes the loop for a while: the lists that are about to be drawn go first.
    await new Promise(setImmediate);
    const { createLogStreams } = await import('../stream/log-stream.ts');
    streams = createLogStreams(options);
    return streams;
  }

  return {
    open(id, handlers) {
      if (streams !== undefined) return streams.open(id, handlers);
      loading ??= load();
      const way = loading.then((made) => (own: typeof handlers) => made.open(id, own));
      return lazyStream(way, handlers);
    },
    close() {
      streams?.close();
    },
  };
}
