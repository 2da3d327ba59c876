import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Answers as an engine does; undefined leaves it to the usual answer. */
type OnRequest = (
  path: string,
  response: ServerResponse,
  request: IncomingMessage,
) => Promise<boolean> | boolean;

export interface PretendedEngine {
  /** For a host that shall take it for its engine. */
  readonly environment: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

/**
 * Something that answers like an engine without images and containers, for what a true one hardly
 * ever does. `onRequest` says whether it has answered itself.
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
