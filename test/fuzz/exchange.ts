import { connect } from 'node:net';
import { type Answer, answersIn, faultIn } from './answers.ts';
import type { Attack } from './attack.ts';

/** Time limit of a connection. */
const boundMs = 20_000;

/** Silence after which the sender of an incomplete request gives up. */
const patienceMs = 60;

export interface Exchange {
  readonly statuses: readonly number[];
  /** The fault; undefined for a correct exchange. */
  readonly fault: string | undefined;
}

/** Runs an attack and checks the answers. */
export async function exchange(port: number, attack: Attack): Promise<Exchange> {
  const asked = Buffer.concat(attack.pieces).toString('latin1');
  try {
    const { bytes, isLate } = await talk(port, attack);
    const { complete, rest } = answersIn(bytes, attack.methods);
    const statuses = complete.map(({ status }) => status);
    if (isLate) return { statuses, fault: `no end after ${boundMs} ms` };
    const fault =
      complete.map((answer) => faultIn(answer, asked)).find((each) => each !== undefined) ??
      missing(attack, complete, rest);
    return { statuses, fault };
  } catch (error) {
    return { statuses: [], fault: error instanceof Error ? error.message : String(error) };
  }
}

function missing({ methods, isProper }: Attack, answers: readonly Answer[], rest: number) {
  if (!isProper || answers.length >= methods.length) return undefined;
  // After rejecting a request that it has not read completely, the host sends nothing more.
  const isRefused = answers.some(({ status }) => status >= 400 || status === 101);
  if (isRefused && rest === 0) return undefined;
  return `${answers.length} answers to ${methods.length} requests, and ${rest} bytes of another`;
}

interface Talk {
  readonly bytes: Buffer;
  readonly isLate: boolean;
}

async function talk(port: number, attack: Attack): Promise<Talk> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const received: Buffer[] = [];
  let isLate = false;
  const closed = new Promise<void>((resolve) => {
    socket.once('close', resolve);
  });
  // If the host closes first, only its answers are checked.
  socket.on('error', () => undefined);
  socket.once('end', () => socket.end());
  const bound = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, boundMs);
  let patience: NodeJS.Timeout | undefined;
  let isWritten = false;
  const wait = () => {
    clearTimeout(patience);
    if (isWritten && !attack.isProper) {
      patience = setTimeout(() => socket.end(), patienceMs);
    }
  };
  socket.on('data', (piece: Buffer) => {
    received.push(piece);
    wait();
    if (attack.isProper && isOver(received, attack.methods)) end();
  });
  const end = () => {
    if (received[0]?.toString('latin1', 9, 12) === '101') socket.end(asFrames(attack));
    else socket.destroy();
  };
  for (const piece of attack.pieces) {
    if (!socket.writable) break;
    await new Promise<void>((resolve) => {
      socket.write(piece, () => {
        resolve();
      });
      socket.once('close', () => {
        resolve();
      });
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  isWritten = true;
  if (attack.resets) socket.resetAndDestroy();
  else wait();
  await closed;
  clearTimeout(bound);
  clearTimeout(patience);
  return { bytes: Buffer.concat(received), isLate };
}

/** Returns true when every request has its answer. */
function isOver(received: readonly Buffer[], methods: readonly string[]): boolean {
  try {
    return answersIn(Buffer.concat(received), methods).complete.length >= methods.length;
  } catch {
    // The check below reports it.
    return true;
  }
}

/** Returns frames to send once the connection is a WebSocket. */
function asFrames({ pieces }: Attack): Buffer {
  return Buffer.concat(pieces).reverse().subarray(0, 300);
}
