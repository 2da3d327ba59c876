/** An engine that manages a swarm in memory, for more services than the machine of a test can run. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { json as readJson } from 'node:stream/consumers';
import { type SwarmService, SwarmObjects } from './swarm-objects.ts';

export interface SwarmEngine extends SwarmObjects {
  /** Method and path of each request but pings, in order. */
  readonly requests: string[];
  /** Open follows of the output of tasks, by task. */
  readonly follows: ReadonlyMap<string, ReadonlySet<ServerResponse>>;
  /** Writes a line of a task on its follows, unless these have broken, and keeps it for later ones. */
  write(task: string, at: string, text: string): void;
  /** Gives a node another session: its follows stay open, and no line comes through them any more. */
  reconnect(node: string): void;
  /** Answers nothing from now on, as when its machine has gone. */
  mute(): void;
  /** Answers again. */
  unmute(): void;
  /** Resolves with the number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** Starts the engine on a Unix socket. */
export async function startSwarmEngine(socketPath: string): Promise<SwarmEngine> {
  const objects = new SwarmObjects();
  const requests: string[] = [];
  const follows = new Map<string, Set<ServerResponse>>();
  const output = new Map<string, Buffer[]>();
  const broken = new Set<ServerResponse>();
  let isMute = false;

  function sendOutput(task: string, isFollowed: boolean, response: ServerResponse): void {
    response.writeHead(200).flushHeaders();
    for (const frame of output.get(task) ?? []) response.write(frame);
    if (!isFollowed) {
      response.end();
      return;
    }
    const open = follows.get(task) ?? new Set();
    follows.set(task, open.add(response));
    response.on('close', () => {
      open.delete(response);
      broken.delete(response);
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isMute) return;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine');
    if (pathname === '/_ping') {
      response.writeHead(200, { 'Api-Version': '1.41' }).end('OK');
      return;
    }
    requests.push(`${request.method} ${request.url}`);
    const [kind = '', id = '', action = ''] = pathname.split('/').slice(2).map(decodeURIComponent);
    if (action === 'logs') return sendOutput(id, searchParams.get('follow') === '1', response);
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    const isWanted = searchParams.get('filters')?.includes('desired-state') === true;
    const call = `${request.method} ${isWanted ? 'wanted ' : ''}${kind}`;
    const result = objects.answer(call, id, action, body as SwarmService);
    const text = typeof result === 'string' ? result : JSON.stringify(result ?? {});
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(socketPath);
  await once(server, 'listening');
  return Object.assign(objects, {
    requests,
    follows,
    write(task: string, at: string, text: string) {
      const frame = frameOf(at, text);
      output.set(task, [...(output.get(task) ?? []), frame]);
      for (const response of follows.get(task) ?? []) {
        if (!broken.has(response)) response.write(frame);
      }
    },
    reconnect(node: string) {
      objects.touchNode(node);
      for (const task of objects.tasksOn(node)) {
        for (const response of follows.get(task) ?? []) broken.add(response);
      }
    },
    mute() {
      isMute = true;
    },
    unmute() {
      isMute = false;
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
}

/** Returns a line as the engine sends it. */
function frameOf(at: string, text: string): Buffer {
  const body = Buffer.from(`${at} ${text}\n`);
  const header = Buffer.alloc(8);
  header.writeUInt8(1, 0);
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}
