import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startWritingForeign } from '../cuts/foreign-service.ts';
import { startWritingHost } from '../cuts/host-service.ts';
import type { WritingService } from '../cuts/service.ts';
import { Home } from './harness-home.ts';
import { waitFor } from '../support/wait-for.ts';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');

const often = { interval: 50 };

/** The real program writing a log into a pipe. */
class Reader implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly #home = new Home();
  stderr = '';
  /** Ids of the lines so far. */
  readonly ids: number[] = [];
  /** The begin of a line whose end is still to come. */
  #begun = '';
  /** A reader ends by itself with the deployment. */
  readonly #closed: Promise<unknown>;

  constructor({ baseUrl, token, deployment }: WritingService) {
    const args = [
      program,
      'logs',
      deployment,
      '--json',
      '--limit',
      '1000',
      '--follow',
      '--history-timeout',
      '60',
    ];
    const env = { HOSTDECK_BASE_URL: baseUrl, HOSTDECK_TOKEN: token };
    this.child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], ...this.#home.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#closed = once(this.child, 'close');
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    this.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
  }

  #read(chunk: string): void {
    const lines = (this.#begun + chunk).split('\n');
    this.#begun = lines.pop() ?? '';
    for (const line of lines) {
      const [, id] = /^\{"type":"log","id":(\d+),/.exec(line) ?? [];
      if (id !== undefined) this.ids.push(Number(id));
    }
  }

  /** Mebibytes that the process has in memory. */
  memory(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdout?.resume();
    this.child.kill('SIGKILL');
    await this.#closed;
    this.#home.remove();
  }
}

const rate = 3000;

/** Lines that are written while nobody reads: more than the program keeps unread, and seconds. */
const unread = 20_000;

test.each<readonly [string, () => Promise<WritingService>]>([
  ['our own host', () => startWritingHost(rate)],
  ['a foreign service', () => startWritingForeign(rate, { logIds: 'dense' })],
])(
  'a reader that stops for seconds loses nothing and holds up nobody else: %s',
  { timeout: 180_000 },
  async (_, start) => {
    await using service = await start();
    await using slow = new Reader(service);
    await using other = new Reader(service);
    await waitFor(() => expect(slow.ids.length).toBeGreaterThan(1000), often);
    await waitFor(() => expect(other.ids.length).toBeGreaterThan(1000), often);
    const before = slow.memory();
    slow.child.stdout?.pause();
    const since = slow.ids.length;
    // The other one goes on while this one has long stopped.
    await waitFor(() => expect(other.ids.length).toBeGreaterThan(since + unread), often);
    expect(slow.memory() - before).toBeLessThan(150);
    slow.child.stdout?.resume();
    await service.stop();
    const record = (await service.record()).map(({ id }) => Number(id));
    for (const reader of [slow, other]) {
      const { ids } = reader;
      await waitFor(() => expect(ids.at(-1)).toBe(record.at(-1)), often);
      expect(ids).toEqual(record.slice(-ids.length));
      expect(reader.stderr).not.toMatch(/lost|Gap|gap|late|Retrying/);
    }
  },
);
