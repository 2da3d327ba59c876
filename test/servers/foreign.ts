import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '../../source/contract/logs.ts';
import { errorAnswer, type ForeignAnswer, type ForeignRequest } from './foreign/answers.ts';
import {
  type ForeignDeployment,
  type ForeignDeployments,
  foreignDeployments,
} from './foreign/deployments.ts';
import { foreignFiles } from './foreign/files.ts';
import { type ForeignGrant, foreignGrants } from './foreign/grants.ts';
import { type ForeignLogs, foreignLogs } from './foreign/logs.ts';
import { type ForeignOptions, foreignDefaults } from './foreign/options.ts';
import { loadRecords } from './foreign/records.ts';

export type { ForeignOptions } from './foreign/options.ts';

/** A recorded request. */
interface RecordedRequest {
  readonly method: string;
  readonly path: string;
}

/** Answer of an injected failure. */
interface Failure {
  readonly status: number;
  /** Method of the failing requests; any if undefined. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True to execute the request before, so that its real answer is lost. */
  readonly isExecuted?: boolean;
}

/** A running service that keeps the contract and answers every open point in a configurable way. */
export interface Foreign {
  readonly baseUrl: string;
  readonly token: string;
  /** A second token, of another wallet. */
  readonly otherToken: string;
  readonly wallet: string;
  readonly otherWallet: string;
  readonly deployments: ReadonlyMap<string, ForeignDeployment>;
  readonly grants: Map<string, ForeignGrant>;
  /** Id of the initial deployment, or of the first one of the records. */
  readonly sample: string;
  /** All requests so far, authenticated or not. */
  readonly requests: readonly RecordedRequest[];
  writes(): readonly RecordedRequest[];
  /** Writes a log line. */
  append(deploymentId: string, serviceName: string, logLine: string, stream?: string): bigint;
  /** Changes a file like another client would. */
  put(deploymentId: string, service: string, path: string, content: string | Buffer): void;
  /** Returns the stored content of a file; undefined for an unknown one. */
  stored(deploymentId: string, service: string, path: string): Buffer | undefined;
  /** Returns all log lines of a deployment, oldest first. */
  lines(deploymentId: string): readonly LogLine[];
  /** Drops all streams, or those of one deployment. */
  cutStreams(deploymentId?: string): void;
  /** Closes all streams in order, with a code or without one. */
  closeStreams(code?: number): void;
  streams(): number;
  /** Fails the next `count` requests, by default unexecuted; replaces an earlier call. */
  failNext(count: number, failure: Failure): void;
  /** Answers requests to this path below the prefix with this JSON; undefined resets it. */
  answerWith(path: string, body: object | undefined): void;
  /** Delays every answer by this time, in ms. */
  delay(milliseconds: number): void;
  /** Stops listening and drops all connections, keeping its memory; `back` listens again. */
  away(): Promise<void>;
  back(): Promise<void>;
  close(): Promise<void>;
}

const sampleSdl = `name: bazaar
version: "2.0"
services:
  web:
    image: nginx
  worker:
    image: busybox
`;

const sampleFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  web: {
    'index.html': '<!doctype html><title>bazaar</title>\n',
    'config/app.yaml': 'server:\n  port: 8080\n',
    'config/flags.json': '{"content":"not an envelope","beta":true}\n',
    'README.md': '# bazaar\n',
  },
  worker: { 'job.py': 'print("working")\n' },
};

function createSample(deployments: ForeignDeployments, { wallet }: ForeignOptions): string {
  const { id, files } = deployments.create(sampleSdl, wallet);
  for (const [service, contents] of Object.entries(sampleFiles)) {
    for (const [path, text] of Object.entries(contents)) {
      files.get(service)?.set(path, Buffer.from(text));
    }
  }
  return id;
}

/** Starts a foreign service on a free port. */
export async function startForeign(overrides: Partial<ForeignOptions> = {}): Promise<Foreign> {
  const options: ForeignOptions = { ...foreignDefaults, ...overrides };
  const otherToken = `${options.token}-other`;
  const otherWallet = `${options.wallet}-other`;
  const deployments = foreignDeployments(options, (id, service, line) =>
    logs.append(id, service, line),
  );
  const logs = foreignLogs(options, deployments.all);
  const grants = foreignGrants(options);
  const routeTables = [
    deployments.routes,
    foreignFiles(options, deployments.all),
    logs.routes,
    grants.routes,
  ];
  const requests: RecordedRequest[] = [];
  const failures: Failure[] = [];
  const oddAnswers = new Map<string, object>();
  let answerDelay = 0;

  const takeFailure = (method: string | undefined): Failure | undefined => {
    const index = failures.findIndex((failure) => [undefined, method].includes(failure.method));
    return index === -1 ? undefined : failures.splice(index, 1)[0];
  };

  const walletOf = (authorization: string | undefined): string | undefined => {
    if (authorization === `Bearer ${options.token}`) return options.wallet;
    return authorization === `Bearer ${otherToken}` ? otherWallet : undefined;
  };

  const answer = async (request: IncomingMessage, body: Buffer): Promise<ForeignAnswer> => {
    const raw = (request.url ?? '').split('?')[0] ?? '';
    requests.push({ method: request.method ?? '', path: raw });
    const failure = takeFailure(request.method);
    if (failure !== undefined) {
      const { status, headers, isExecuted = false } = failure;
      if (isExecuted) await execute(request, body);
      const failed = errorAnswer(options, status, 'injected failure');
      return failure.body === undefined
        ? { ...failed, headers: { ...failed.headers, ...headers } }
        : { status, body: Buffer.from(failure.body), ...(headers ? { headers } : {}) };
    }
    return execute(request, body);
  };

  const execute = async (request: IncomingMessage, body: Buffer): Promise<ForeignAnswer> => {
    const url = new URL(request.url ?? '', 'http://foreign');
    const raw = (request.url ?? '').split('?')[0] ?? '';
    const wallet = walletOf(request.headers.authorization);
    if (wallet === undefined) return errorAnswer(options, 401, 'who are you?');
    if (!raw.startsWith(options.prefix)) return errorAnswer(options, 404, 'not here');
    const routed: ForeignRequest = {
      method: request.method ?? '',
      path: raw.slice(options.prefix.length),
      query: url.searchParams,
      contentType: request.headers['content-type'] ?? '',
      body,
      wallet,
    };
    const odd = oddAnswers.get(routed.path);
    if (odd !== undefined) return { status: 200, body: odd };
    for (const routes of routeTables) {
      const found = await routes(routed);
      if (found !== undefined) return found;
    }
    return errorAnswer(options, 404, 'no such route');
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, body, headers } = await answer(request, Buffer.concat(chunks));
    if (answerDelay > 0) await sleep(answerDelay);
    const date = new Date(options.now()).toUTCString();
    const isJson = body !== undefined && !Buffer.isBuffer(body);
    response.writeHead(status, {
      date,
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...headers,
    });
    response.end(isJson ? JSON.stringify(body) : body);
  };

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const url = new URL(request.url ?? '', 'http://foreign');
    requests.push({ method: 'GET', path: url.pathname });
    const refuse = (status: string): void => {
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 7\r\nconnection: close\r\n\r\nrefused`);
    };
    socket.on('error', () => socket.destroy());
    const failure = takeFailure(request.method);
    if (failure !== undefined) return refuse(`${failure.status} Injected`);
    if (url.pathname !== `${options.prefix}/api/v1/deployments/logs/stream`) {
      return refuse('404 Not Found');
    }
    if (walletOf(streamAuthorization(options, request, url)) === undefined) {
      return refuse('401 Unauthorized');
    }
    const id = url.searchParams.get('deploymentId') ?? '';
    if (!deployments.all.has(id)) return refuse('404 Not Found');
    logs.server.handleUpgrade(request, socket, head, (stream) => logs.attach(stream, id));
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  }).on('upgrade', upgrade);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const sample =
    options.records === undefined
      ? createSample(deployments, options)
      : loadRecords(options.records, { deployments: deployments.all, logs, grants: grants.all });
  const ticking =
    options.lineEvery > 0
      ? setInterval(() => tick(deployments.all, logs), options.lineEvery)
      : undefined;

  const stop = async (): Promise<void> => {
    logs.cut();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };

  return {
    baseUrl: `http://127.0.0.1:${port}${options.prefix}`,
    token: options.token,
    otherToken,
    wallet: options.wallet,
    otherWallet,
    deployments: deployments.all,
    grants: grants.all,
    sample,
    requests,
    writes: () => requests.filter(({ method }) => method !== 'GET'),
    append: (id, service, line, stream) => logs.append(id, service, line, stream),
    put(id, service, path, content) {
      deployments.all.get(id)?.files.get(service)?.set(path, Buffer.from(content));
    },
    stored: (id, service, path) => deployments.all.get(id)?.files.get(service)?.get(path),
    lines: (id) => logs.lines(id),
    cutStreams: (deploymentId) => logs.cut(deploymentId),
    closeStreams: (code) => logs.close(code),
    streams: () => logs.streams(),
    failNext(count, failure) {
      failures.splice(0, Infinity, ...Array.from({ length: count }, () => failure));
    },
    answerWith(path, body) {
      if (body === undefined) oddAnswers.delete(path);
      else oddAnswers.set(path, body);
    },
    delay(milliseconds) {
      answerDelay = milliseconds;
    },
    away: stop,
    async back() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async close() {
      clearInterval(ticking);
      if (server.listening) await stop();
      logs.server.close();
    },
  };
}

/** Returns the token of a stream request from the place that this service supports. */
function streamAuthorization(
  { streamAuth }: ForeignOptions,
  { headers }: IncomingMessage,
  url: URL,
): string | undefined {
  const authorizations = {
    header: headers.authorization,
    subprotocol: headers['sec-websocket-protocol']?.replace(/^bearer, ?/, 'Bearer '),
    query: `Bearer ${url.searchParams.get('access_token')}`,
  };
  return authorizations[streamAuth];
}

/** Appends a line for every service of every running deployment. */
function tick(deployments: ReadonlyMap<string, ForeignDeployment>, { append }: ForeignLogs): void {
  for (const { id, services, status } of deployments.values()) {
    if (status === 'stopped') continue;
    for (const service of services) append(id, service, `tick of ${service}`);
  }
}
