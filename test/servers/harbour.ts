/**
 * A hosting service that runs programs, and keeps the contract in shapes of its own: bare lists, states
 * and times as no other writes them, no number of restarts, no exit codes, log lines without ids, and a
 * clock that is ahead.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocketServer } from 'ws';
import { createHarbourLog } from './harbour/harbour-logs.ts';
import { startServiceRun } from './harbour/service-run.ts';

export interface HarbourOptions {
  /** Name of the deployment, and of its only service. */
  readonly name: string;
  readonly service: string;
  readonly command: readonly [string, ...string[]];
  /** Files of the service, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** False for a service that tells neither times of starts nor of restarts. */
  readonly tellsStarts: boolean;
}

export interface Harbour extends AsyncDisposable {
  readonly baseUrl: string;
  readonly token: string;
  readonly deployment: string;
  /** Number of restarts that were requested. */
  readonly restarts: number;
}

interface Answer {
  readonly status: number;
  /** JSON, or the bytes of a file. */
  readonly body?: object | Buffer;
}

/** Milliseconds by which the clock of the service is ahead. */
const ahead = 47_000;

const token = 'harbour-token-77ac';
const notFound: Answer = { status: 404, body: { message: 'not found' } };

/** Starts the service with one deployment on a free port. */
export async function startHarbour(options: HarbourOptions): Promise<Harbour> {
  const { name, service, command, files, tellsStarts } = options;
  const now = (): number => Date.now() + ahead;
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-harbour-'));
  const id = `${randomUUID()}-118`;
  const log = createHarbourLog(id, now);
  for (const [file, text] of Object.entries(files)) await store(file, Buffer.from(text));
  const created = now();
  const run = startServiceRun(folder, command, (line, stream) =>
    log.append(service, line, stream === 'out' ? 'stdout' : 'stderr'),
  );
  let restarts = 0;
  let restarted: number | undefined;
  let isRolling = false;

  async function store(file: string, bytes: Buffer): Promise<void> {
    const place = path.join(folder, file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, bytes);
  }

  async function restart(): Promise<void> {
    restarts += 1;
    isRolling = true;
    await run.restart();
    restarted = run.startedAt + ahead;
    isRolling = false;
  }

  /** Returns the record of the deployment, with times in UTC that do not say so. */
  function record(): object {
    const timeOf = (at: number): string =>
      new Date(at).toISOString().replace('T', ' ').slice(0, -1);
    const status = isRolling ? 'rolling' : run.state;
    const told = tellsStarts && restarted !== undefined ? { restarted: timeOf(restarted) } : {};
    const started = tellsStarts ? { started: timeOf(run.startedAt + ahead) } : {};
    return {
      id,
      name,
      status,
      created: timeOf(created),
      ...told,
      services: { [service]: { status, ...started } },
    };
  }

  async function answerFiles(method: string, rest: string, body: Buffer): Promise<Answer> {
    const file = decodeURIComponent(rest);
    const place = path.join(folder, file);
    switch (method) {
      case 'GET': {
        if (file === '') return { status: 200, body: await listFiles(folder) };
        const bytes = await readFile(place).catch(() => undefined);
        return bytes === undefined ? notFound : { status: 200, body: bytes };
      }
      case 'PUT': {
        const { content } = JSON.parse(body.toString()) as { readonly content: string };
        await store(file, Buffer.from(content));
        return { status: 204 };
      }
      case 'PATCH': {
        const names = JSON.parse(body.toString()) as Record<'oldPath' | 'newPath', string>;
        await rename(path.join(folder, names.oldPath), path.join(folder, names.newPath));
        return { status: 204 };
      }
      case 'DELETE':
        await rm(place);
        return { status: 204 };
      default:
        return notFound;
    }
  }

  async function answer(method: string, url: URL, body: Buffer): Promise<Answer> {
    if (url.pathname === '/api/v1/deployments') return { status: 200, body: [record()] };
    if (url.pathname === '/api/v1/grants') return { status: 200, body: [] };
    const [, rest = ''] = url.pathname.split(`/api/v1/deployments/${id}`);
    if (!url.pathname.startsWith(`/api/v1/deployments/${id}`)) return notFound;
    if (rest === '') return { status: 200, body: record() };
    if (rest === '/logs') return { status: 200, body: log.page(url.searchParams) };
    if (rest === '/restart' && method === 'POST') {
      void restart();
      return { status: 202 };
    }
    const [, file] = new RegExp(`^/services/${service}/files(?:$|/(.*))`).exec(rest) ?? [];
    return rest.startsWith('/services/') ? answerFiles(method, file ?? '', body) : notFound;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '', 'http://harbour');
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const { status, body } = isKnown
      ? await answer(request.method ?? '', url, Buffer.concat(chunks))
      : { status: 401, body: { message: 'unknown token' } };
    const isJson = body !== undefined && !Buffer.isBuffer(body);
    const type = isJson ? 'application/json' : 'application/octet-stream';
    const date = new Date(now()).toUTCString();
    response.writeHead(status, { date, 'content-type': type });
    response.end(isJson ? JSON.stringify(body) : body);
  }

  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  }).on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (stream) => log.attach(stream));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    token,
    deployment: id,
    get restarts() {
      return restarts;
    },
    async [Symbol.asyncDispose]() {
      await run.stop();
      for (const socket of sockets.clients) socket.terminate();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the paths of all files below a folder. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
}
