import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service with one text file under any path, which may lose a write or its answer. */
export interface Forgetful {
  readonly baseUrl: string;
  readonly token: string;
  /** Content of the file; undefined when it is deleted. */
  content: string | undefined;
  /** The loss of the next writes: the connection breaks before or after the write. */
  loses: 'nothing' | 'the answer' | 'the write';
  /** Methods of all requests so far. */
  readonly methods: readonly string[];
  close(): Promise<void>;
}

export async function startForgetful(content: string): Promise<Forgetful> {
  const methods: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    methods.push(request.method ?? '');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'PUT') {
      if (service.loses !== 'the write') {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as { readonly content: string };
        service.content = body.content;
      }
      if (service.loses === 'nothing') response.end('{}');
      else request.socket.destroy();
    } else if (service.content === undefined) {
      response.writeHead(404).end();
    } else {
      response.end(service.content);
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service: Forgetful = {
    baseUrl: `http://127.0.0.1:${port}`,
    token: 'forgetful-token',
    content,
    loses: 'nothing',
    methods,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return service;
}
