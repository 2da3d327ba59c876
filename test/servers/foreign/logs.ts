import { type WebSocket, WebSocketServer } from 'ws';
import type { LogLine } from '../../../source/contract/logs.ts';
import { cased, errorAnswer, listAnswer, type Routes } from './answers.ts';
import type { ForeignDeployment } from './deployments.ts';
import type { ForeignOptions } from './options.ts';

interface Line {
  readonly id: bigint;
  readonly deploymentId: string;
  readonly serviceName: string;
  readonly timestamp: string;
  readonly logLine: string;
  readonly stream: string;
}

export interface ForeignLogs {
  readonly routes: Routes;
  readonly server: WebSocketServer;
  /** Writes a line to the history and to every open stream. */
  readonly append: (
    deploymentId: string,
    serviceName: string,
    logLine: string,
    stream?: string,
    timestamp?: string,
  ) => bigint;
  /** Starts serving an accepted stream. */
  attach(socket: WebSocket, deploymentId: string): void;
  /** Drops all streams without a closing handshake, like a lost network. */
  cut(deploymentId?: string): void;
  close(code: number | undefined): void;
  streams(): number;
  /** Returns all lines of a deployment as a client sees them, oldest first. */
  lines(deploymentId: string): readonly LogLine[];
}

export function foreignLogs(
  options: ForeignOptions,
  deployments: ReadonlyMap<string, ForeignDeployment>,
): ForeignLogs {
  const lines: Line[] = [];
  const streams = new Map<WebSocket, LineSender>();
  const server = new WebSocketServer({
    noServer: true,
    handleProtocols: (protocols) => protocols.values().next().value ?? false,
  });
  let last = options.logIds === 'huge' ? 2n ** 63n : 4_000n;

  /** The messages of the lines: streams that repeat all lines send each of them many times. */
  const messages = new WeakMap<Line, string>();
  const messageOf = (line: Line): string => {
    const message = messages.get(line) ?? streamMessage(options, line);
    messages.set(line, message);
    return message;
  };

  const append: ForeignLogs['append'] = (
    deploymentId,
    serviceName,
    logLine,
    stream = 'stdout',
    timestamp = new Date(options.now() + offBy(options, serviceName, lines.length)).toISOString(),
  ) => {
    last += options.logIds === 'holes' ? 3n : 1n;
    const line = { id: last, deploymentId, serviceName, timestamp, logLine, stream };
    lines.push(line);
    for (const [socket, sender] of streams) {
      if (sender.deploymentId !== deploymentId) continue;
      if (options.chatter !== 'none') chatter(socket, line, options.chatter);
      sender.send(messageOf(line));
    }
    return last;
  };

  const routes: Routes = async ({ method, path, query }) => {
    const id = /^\/api\/v1\/deployments\/([^/]+)\/logs$/.exec(path)?.[1];
    if (id === undefined || method !== 'GET') return undefined;
    const deployment = deployments.get(decodeURIComponent(id));
    if (deployment === undefined) return errorAnswer(options, 404, 'no such deployment');
    const limit = Math.min(Number(query.get('limit') ?? 100), options.largestLogPage);
    const offset = Number(query.get('offset') ?? 0);
    if (!(limit >= 0 && offset >= 0)) return errorAnswer(options, 422, 'limit and offset');
    const service = query.get('service');
    const search = query.get('search');
    const matching = lines.filter(
      (line) =>
        line.deploymentId === deployment.id &&
        (service === null || line.serviceName === service) &&
        (search === null || line.logLine.includes(search)),
    );
    if (options.logOrder === 'newest') matching.reverse();
    const page = matching.slice(offset, offset + limit);
    const { headers } = { headers: { 'content-type': 'application/json' } };
    const body = listAnswer(
      options,
      'logs',
      page.map((_, index) => `#${index}#`),
    ).body;
    // JSON.stringify cannot write bigints, so insert the records as text.
    const text = JSON.stringify(body).replaceAll(/"#(\d+)#"/g, (_, index: string) => {
      const line = page[Number(index)];
      return line === undefined ? 'null' : recordOf(options, line);
    });
    return { status: 200, body: Buffer.from(text), headers };
  };

  return {
    routes,
    server,
    append,
    attach(socket, deploymentId) {
      const sender = new LineSender(socket, deploymentId, options.logFrames);
      streams.set(socket, sender);
      socket.on('close', () => streams.delete(socket));
      if (options.chatter !== 'none')
        socket.send(JSON.stringify({ type: 'welcome', deploymentId }));
      if (options.chatter === 'unreadable') socket.send(Buffer.of(1, 2, 3));
      const own = lines.filter((line) => line.deploymentId === deploymentId);
      const repeated = options.logReplay === 0 ? [] : own.slice(-options.logReplay);
      for (const line of repeated) sender.send(messageOf(line));
    },
    cut(deploymentId) {
      for (const [socket, sender] of streams) {
        if (deploymentId === undefined || sender.deploymentId === deploymentId) socket.terminate();
      }
    },
    close(code) {
      for (const socket of streams.keys()) socket.close(code);
    },
    streams: () => streams.size,
    lines: (deploymentId) =>
      lines
        .filter((line) => line.deploymentId === deploymentId)
        .map((line) => decodedLine(options, line)),
  };
}

/** Returns the milliseconds by which the clock of a service is off when the log has `lines` lines. */
function offBy({ logClocks }: ForeignOptions, service: string, lines: number): number {
  const clock = logClocks[service] ?? 0;
  if (typeof clock === 'number') return clock;
  return lines < clock.after ? 0 : clock.step;
}

/** The frame of each so many lines is another one than its line. */
const oddLine = 10;

/** Sends the lines of one stream, some of them not as they were written. */
class LineSender {
  readonly deploymentId: string;
  readonly #socket: WebSocket;
  readonly #frames: ForeignOptions['logFrames'];
  #sent = 0;
  /** A message that waits for the next one. */
  #held: string | undefined;

  constructor(socket: WebSocket, deploymentId: string, frames: ForeignOptions['logFrames']) {
    this.#socket = socket;
    this.deploymentId = deploymentId;
    this.#frames = frames;
  }

  send(message: string): void {
    this.#sent += 1;
    const isOdd = this.#sent % oddLine === 0;
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) {
      if (this.#frames === 'arrays') this.#socket.send(`[${held}, ${message}]`);
      else for (const one of [message, held]) this.#socket.send(one);
    } else if (isOdd && (this.#frames === 'swapped' || this.#frames === 'arrays')) {
      this.#held = message;
      // The last line of a log does not wait for ever.
      setTimeout(() => this.#flush(message), 50);
    } else {
      this.#socket.send(message, { binary: this.#frames === 'binary' });
      if (isOdd && this.#frames === 'doubled') this.#socket.send(message);
    }
  }

  #flush(message: string): void {
    if (this.#held !== message) return;
    this.#held = undefined;
    this.#socket.send(message);
  }
}

/** Sends one of the other messages that a client must tolerate between log lines. */
function chatter(socket: WebSocket, { id }: Line, kind: 'others' | 'unreadable'): void {
  const stats = JSON.stringify({ type: 'stats', cpu: 0.5 });
  const kinds = [
    () => socket.send(stats),
    () => socket.send('keepalive'),
    () => socket.send(kind === 'others' ? '' : JSON.stringify([1, 2])),
    () => socket.send(Buffer.from(kind === 'others' ? stats : [1, 2, 3])),
    () => socket.ping(),
  ];
  kinds[Number(id % BigInt(kinds.length))]?.();
}

function idOf({ logIds }: ForeignOptions, id: bigint): string | undefined {
  if (logIds === 'none') return undefined;
  return logIds === 'text' ? `"${id}"` : String(id);
}

/** Returns the line as a client with exact ids decodes it. */
function decodedLine({ logIds }: ForeignOptions, { id, ...line }: Line): LogLine {
  if (logIds === 'none') return line;
  return { ...line, id: id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id };
}

function recordOf(options: ForeignOptions, { id, ...line }: Line): string {
  if (options.logLines === 'strings') return JSON.stringify(line.logLine);
  return withId(JSON.stringify(cased(options, line)), idOf(options, id));
}

/** Formats a stream message, with the field names that the contract specifies. */
function streamMessage(options: ForeignOptions, { id, ...line }: Line): string {
  return withId(JSON.stringify({ type: 'log', ...line }), idOf(options, id));
}

function withId(json: string, id: string | undefined): string {
  return id === undefined ? json : `${json.slice(0, -1)},"id":${id}}`;
}
