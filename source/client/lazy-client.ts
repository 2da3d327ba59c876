import type { Client } from './client.ts';
import type { ConnectOptions } from './http/connect.ts';
import { decodeFrameAt } from './decode/logs.ts';
import { parseHost } from './http/endpoint.ts';
import { createLazyStream } from './stream/lazy-stream.ts';

/**
 * Returns a client at once and loads the HTTP and WebSocket libraries with the first request. It
 * behaves like the client that `createClient` returns.
 */
export function createLazyClient(options: ConnectOptions): Client {
  let client: Client | undefined;
  let loading: Promise<Client> | undefined;

  async function load(): Promise<Client> {
    // Loading blocks the event loop, so let the pending frame be drawn first.
    await new Promise(setImmediate);
    const { createClient } = await import('./http/connect.ts');
    client = createClient(options);
    return client;
  }

  const loaded = (): Promise<Client> => (loading ??= load());

  /** Yields even when the client is loaded: the caller has just changed state that must be drawn. */
  async function afterDrawing(): Promise<Client> {
    await new Promise(setImmediate);
    return loaded();
  }

  return {
    host: parseHost(options.baseUrl),
    deployments: {
      list: async (...args) => (await loaded()).deployments.list(...args),
      get: async (...args) => (await loaded()).deployments.get(...args),
      create: async (...args) => (await loaded()).deployments.create(...args),
      close: async (...args) => (await loaded()).deployments.close(...args),
      restart: async (...args) => (await loaded()).deployments.restart(...args),
    },
    files: {
      list: async (...args) => (await afterDrawing()).files.list(...args),
      get: async (...args) => (await loaded()).files.get(...args),
      save: async (...args) => (await loaded()).files.save(...args),
      update: async (...args) => (await loaded()).files.update(...args),
      rename: async (...args) => (await loaded()).files.rename(...args),
      delete: async (...args) => (await loaded()).files.delete(...args),
      upload: async (...args) => (await loaded()).files.upload(...args),
    },
    logs: {
      fetch: async (...args) => (await loaded()).logs.fetch(...args),
      stream: (id, handlers) =>
        client === undefined
          ? createLazyStream(
              loaded().then(
                ({ logs }) =>
                  (own) =>
                    logs.stream(id, own),
              ),
              handlers,
            )
          : client.logs.stream(id, handlers),
      decode: decodeFrameAt,
    },
    grants: {
      list: async (...args) => (await afterDrawing()).grants.list(...args),
      create: async (...args) => (await loaded()).grants.create(...args),
      revoke: async (...args) => (await loaded()).grants.revoke(...args),
    },
    clockOffset: () => client?.clockOffset() ?? 0,
    async close() {
      if (loading !== undefined) await (await loading).close();
    },
  };
}
