import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type BackupOutcome,
  receiveBackup,
  sendBackup,
  type StreamedBackup,
} from '../../../source/host/control/backup-frames.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let socketPath: string;
let server: Server;

beforeEach(() => {
  socketPath = path.join(temporaryFolder(), 'socket');
});

afterEach(() => {
  server.close();
});

/** Serves each connection. */
async function serve(answer: (socket: Socket) => void): Promise<void> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    answer(socket);
  });
  server.listen(socketPath);
  await once(server, 'listening');
}

const backupOf = (bytes: AsyncIterable<Uint8Array>): StreamedBackup => ({
  bytes,
  findings: () => ({ skipped: 3, withoutVolumes: 2, withoutEngineVolumes: 1 }),
});

async function receive(): Promise<{ bytes: Buffer; outcome: BackupOutcome | undefined }> {
  const chunks: Uint8Array[] = [];
  const received = receiveBackup(socketPath);
  for (;;) {
    const next = await received.next();
    if (next.done === true) return { bytes: Buffer.concat(chunks), outcome: next.value };
    chunks.push(next.value);
  }
}

describe('a backup over a socket', () => {
  it('arrives whole, in chunks of any size', async () => {
    const sizes = [1, 3, 70_000, 1_000_000, 12];
    await serve((socket) => {
      async function* bytes() {
        for (const [index, size] of sizes.entries()) yield Buffer.alloc(size, index);
      }
      void sendBackup(socket, backupOf(bytes()));
    });
    const { bytes, outcome } = await receive();
    expect(bytes).toEqual(Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index))));
    expect(outcome).toEqual({
      ok: true,
      skipped: 3,
      withoutVolumes: 2,
      withoutEngineVolumes: 1,
    });
  });

  it('ends with the message of a failure', async () => {
    await serve((socket) => {
      async function* bytes() {
        yield Buffer.from('begun');
        throw new Error('The disk is full.');
      }
      void sendBackup(socket, backupOf(bytes()));
    });
    expect((await receive()).outcome).toEqual({ ok: false, message: 'The disk is full.' });
  });

  it.each([0, 2, 4, 9, 14, 20])('has no outcome when it is cut after %d bytes', async (length) => {
    const frame = Buffer.concat([Buffer.from([0, 0, 0, 5]), Buffer.from('bytes')]);
    const end = Buffer.from('\0\0\0\0{"ok":true,"skipped":0}');
    await serve((socket) => socket.end(Buffer.concat([frame, end]).subarray(0, length)));
    expect((await receive()).outcome).toBeUndefined();
  });

  it('is refused by an older host in its own words', async () => {
    const message = 'The host does not support this operation; it may be an older version.';
    await serve((socket) => socket.end(`${JSON.stringify({ ok: false, message })}\n`));
    expect((await receive()).outcome).toEqual({ ok: false, message });
  });

  it('has no outcome without a host', async () => {
    server = createServer();
    expect((await receive()).outcome).toBeUndefined();
  });

  it('is cancelled when the receiver leaves, or reads nothing', async () => {
    const cancelled: string[] = [];
    const endings = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await serve((socket) => {
      const index = cancelled.length;
      cancelled.push('running');
      async function* bytes() {
        try {
          for (;;) yield Buffer.alloc(100_000);
        } finally {
          cancelled[index] = 'ended';
          endings[index]?.resolve();
        }
      }
      void sendBackup(socket, backupOf(bytes()), index === 0 ? 1_000_000 : 1);
    });
    const leaving = receiveBackup(socketPath);
    await leaving.next();
    await leaving.return(undefined);
    await endings[0]?.promise;
    const stalled = connect(socketPath).pause();
    await endings[1]?.promise;
    expect(cancelled).toEqual(['ended', 'ended']);
    stalled.destroy();
  });
});
