import { WebSocket } from 'ws';
import { logStreamPath } from '../../source/contract/routes.ts';
import { readLogs } from '../host/support/bodies.ts';
import type { Caller } from '../host/support/temporary-host.ts';
import { judgeLog, judgeStream, type SeenLine } from './host-judge.ts';

/** Lines of one "fetch logs". */
const page = 10_000;

interface Frame {
  readonly type: string;
  readonly id: number;
  readonly logLine: string;
}

/** Someone who follows the log of one deployment over all lives of the host. */
export class LogClient {
  readonly #id: string;
  readonly #name: string;
  readonly #seen = new Map<number, string>();
  readonly #broken: string[] = [];
  #socket: WebSocket | undefined;

  constructor(id: string, name: string) {
    this.#id = id;
    this.#name = name;
  }

  /** Follows it until the host is gone. */
  follow(baseUrl: string, token: string): void {
    const url = new URL(logStreamPath, baseUrl.replace('http', 'ws'));
    url.searchParams.set('deploymentId', this.#id);
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    const ids: number[] = [];
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      if (frame.type !== 'log') return;
      ids.push(frame.id);
      this.#see(frame.id, frame.logLine);
    });
    socket.on('close', () => this.#broken.push(...judgeStream(this.#name, ids)));
    this.#socket = socket;
  }

  leave(): void {
    this.#socket?.terminate();
  }

  /** Reads the newest lines, as someone does who looks at them. */
  async look(caller: Caller): Promise<void> {
    const lines = await readLogs(caller, this.#id, { limit: 500 });
    for (const { id, logLine } of lines) this.#see(id, logLine);
  }

  /** Compares the stored lines with the seen ones, and returns the differences. */
  async check(caller: Caller): Promise<readonly string[]> {
    const stored = new Map<number, SeenLine>();
    for (let offset = 0; ; offset += page) {
      const lines = await readLogs(caller, this.#id, { limit: page, offset });
      for (const { id, logLine } of lines) stored.set(id, { id, text: logLine });
      if (lines.length < page) break;
    }
    const all = [...stored.values()].sort((one, other) => one.id - other.id);
    const seen = [...this.#seen].map(([id, text]) => ({ id, text }));
    const broken = judgeLog(`the log of ${this.#name}`, seen, all);
    for (const { id, text } of all) this.#see(id, text);
    return [...this.#broken.splice(0), ...broken];
  }

  get lines(): number {
    return this.#seen.size;
  }

  #see(id: number, text: string) {
    const before = this.#seen.get(id);
    if (before !== undefined && before !== text) {
      this.#broken.push(`line ${id} of ${this.#name} was given as two texts`);
    }
    this.#seen.set(id, text);
  }
}
