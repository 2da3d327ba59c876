/** Finds out that the reader of a pipe has gone, without writing into the pipe. */
import { fstatSync } from 'node:fs';

/** Offsets in the memory of WASI's poll: two subscriptions, two events and a count. */
const subscriptions = 0;
const subscriptionSize = 48;
const events = 2 * subscriptionSize;
const eventSize = 32;
const count = events + 2 * eventSize;

/** Kinds of events of `poll_oneoff` (WASI preview 1). */
const clockEvent = 0;
const writeEvent = 2;

const monotonicClock = 1;

/** Nanoseconds to wait for a pipe that is full; one with room answers at once. */
const fullPipeWait = 1_000_000n;

/**
 * Returns a function that tells whether the reader of a pipe has gone; undefined where the descriptor
 * isn't a pipe, or the system doesn't tell. Node watches a pipe only while it writes, so this polls it
 * with `poll_oneoff` of Node's WASI, which takes a fraction of a millisecond.
 */
export function watchedPipe(descriptor: number): (() => boolean) | undefined {
  try {
    if (!fstatSync(descriptor).isFIFO()) return undefined;
    const { poll, view } = openPoll(descriptor);
    return () => {
      view.setUint8(subscriptions + 8, clockEvent);
      view.setUint32(subscriptions + 16, monotonicClock, true);
      view.setBigUint64(subscriptions + 24, fullPipeWait, true);
      view.setUint8(subscriptions + subscriptionSize + 8, writeEvent);
      view.setUint32(subscriptions + subscriptionSize + 16, 1, true);
      if (poll(subscriptions, events, 2, count) !== 0) return false;
      const found = view.getUint32(count, true);
      return Array.from({ length: found }, (_, at) => events + at * eventSize).some(
        (event) =>
          view.getUint8(event + 10) === writeEvent && view.getUint16(event + 8, true) !== 0,
      );
    };
  } catch {
    return undefined;
  }
}

type Poll = (subscriptions: number, events: number, length: number, count: number) => number;

/** Globals that Node's types leave out. */
interface WithMemory {
  readonly WebAssembly: {
    readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  };
}

/** Opens a WASI without a program, whose stdout is the descriptor. */
function openPoll(stdout: number): { readonly poll: Poll; readonly view: DataView } {
  const emitWarning = process.emitWarning.bind(process);
  // Suppress the warning that WASI is experimental.
  process.emitWarning = () => {};
  try {
    const { WASI } = process.getBuiltinModule('node:wasi');
    const wasi = new WASI({ version: 'preview1', stdout });
    const { WebAssembly } = globalThis as typeof globalThis & WithMemory;
    const memory = new WebAssembly.Memory({ initial: 1 });
    wasi.initialize({ exports: { memory } });
    const { poll_oneoff: poll } = wasi.wasiImport as { readonly poll_oneoff: Poll };
    return { poll, view: new DataView(memory.buffer) };
  } finally {
    process.emitWarning = emitWarning;
  }
}
