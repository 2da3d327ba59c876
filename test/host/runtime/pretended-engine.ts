import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Answers a request and returns true, or returns false for the default answer. */
type OnRequest = (
  path: string,
  response: ServerResponse,
  request: IncomingMessage,
) => Promise<boolean> | boolean;

export interface PretendedEngine {
  /** Environment of a host that uses this engine. */
  readonly environment: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

/**
 * Starts a fake engine without images and containers, for behavior that a real engine rarely
 * shows.
 */
export async function pretendEngine(onRequest: OnRequest): Promise<PretendedEngine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-pretended-'));
  const socket = path.join(folder, 'engine.sock');
  const server = createServer((request, response) => {
    void (async () => {
      const url = request.url ?? '';
      if (await onRequest(url, response, request)) return;
      if (url === '/_ping') response.end('OK');
      else if (url.startsWith('/containers/json')) response.end('[]');
      else response.writeHead(500).end('{"message":"out of order"}');
    })();
  }).listen(socket);
  await once(server, 'listening');
  return {
    environment: { DOCKER_HOST: `unix://${socket}` },
    async end() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await rm(folder, { recursive: true });
    },
  };
}
