import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { logStreamPath } from '../../source/contract/routes.ts';
import { deploy, readLines } from './support/bodies.ts';
import { pidsIn } from './support/host-folder.ts';
import { ManualClock } from './support/manual-clock.ts';
import {
  type Caller,
  nodeService,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const clock = new ManualClock();
const pingMs = 15_000;

/** Exceeds the buffers of the operating system by far. */
const lines = 32_000;

let service: TemporaryHost;
let owner: Caller;

beforeAll(async () => {
  // Sandboxes would change the process ids.
  service = await temporaryHost({
    clock,
    sandbox: 'off',
    limits: { maxStreamBacklogBytes: 2 ** 27 },
  });
  owner = service.as('0xowner');
});

afterAll(() => service.remove());

/** A client of a log stream that stops reading after a number of lines. */
class Reader {
  readonly #socket: WebSocket;
  #read = 0;
  #until = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      if (!data.includes('"type":"log"')) return;
      this.#read += 1;
      if (this.#read >= this.#until) socket.pause();
    });
  }

  static async of(deploymentId: string): Promise<Reader> {
    const url = new URL(logStreamPath, service.host.baseUrl.replace('http', 'ws'));
    url.searchParams.set('deploymentId', deploymentId);
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${owner.token}` } });
    const reader = new Reader(socket);
    await once(socket, 'open');
    socket.pause();
    return reader;
  }

  async read(until: number): Promise<void> {
    this.#until = until;
    this.#socket.resume();
    await waitFor(() => {
      expect(this.#read).toBeGreaterThanOrEqual(until);
    });
  }

  /** Resolves with the close code of the stream after reading all of it. */
  async end(): Promise<number> {
    const closed = once(this.#socket, 'close') as Promise<[number]>;
    this.#until = Number.POSITIVE_INFINITY;
    this.#socket.resume();
    return (await closed)[0];
  }

  leave(): void {
    this.#socket.terminate();
  }
}

describe('a client that reads too slowly to answer a ping in time', () => {
  let id: string;
  let reader: Reader;

  beforeEach(async () => {
    const program = `process.on('SIGUSR2', () => {
        for (let n = 0; n < ${lines}; n++) console.log('x'.repeat(1000));
        console.log('last');
      });
      console.log('pid', process.pid); setInterval(() => {}, 1000)`;
    ({ id } = await deploy(owner, sdlOf({ web: nodeService(program) })));
    const [pid = 0] = await pidsIn(owner, id, 1);
    reader = await Reader.of(id);
    process.kill(pid, 'SIGUSR2');
    await waitFor(async () => {
      expect(await readLines(owner, id, { limit: 2 })).toContain('last');
    });
  });

  afterEach(async () => {
    reader.leave();
    await owner.call('closeDeployment', { id });
  });

  it('receives the whole stream while it keeps reading', async () => {
    clock.advance(pingMs);
    await reader.read(lines / 2);
    clock.advance(pingMs);
    await reader.read(lines);
  });

  it('is disconnected when it stops reading', async () => {
    clock.advance(pingMs);
    clock.advance(pingMs);
    expect(await reader.end()).toBe(1006);
  });
});
