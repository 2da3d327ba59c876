import type { TerminalAnswer } from '../link/answers.ts';
import { InkStdin } from './ink-stdin.ts';
import { answerLimit, InputModes } from '../input-modes.ts';
import { type Input, KeyParser } from './key-parser.ts';
import type { KeyEvent } from './key-sequences.ts';

export type { TerminalAnswer } from '../link/answers.ts';
export type { KeyEvent } from './key-sequences.ts';

/** A hold that nobody releases ends by itself, so that a failed mount cannot take the keyboard. */
const holdLimit = 1000;

const newline = 0x0a;
const carriageReturn = 0x0d;

/** What a key handler decides: `pass` hands the key on to Ink's focused hooks. */
export type KeyVerdict = 'consumed' | 'pass';

/** The clock and the event loop, for tests. */
interface KeyTimers {
  now(): number;
  setTimeout(callback: () => void, delay: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
  setImmediate(callback: () => void): unknown;
}

export interface KeysOptions {
  /** The terminal's input. */
  readonly input: NodeJS.ReadStream;
  /** Where the terminal's modes are switched. */
  readonly output: { write(data: string): unknown };
  readonly timers?: KeyTimers;
}

const systemTimers: KeyTimers = {
  now: () => performance.now(),
  setTimeout,
  clearTimeout,
  setImmediate,
};

export interface Keys {
  /** For Ink's `stdin` option: keys that the root handler passes, one chunk each. */
  readonly stdin: NodeJS.ReadStream;
  /** Sets the root handler in place of one set before; returns how to take it away. */
  onKey(handler: (event: KeyEvent) => KeyVerdict): () => void;
  /**
   * Hears every answer of the terminal the moment it is read, past all keys that wait; returns how
   * to stop hearing them.
   */
  onAnswer(listener: (answer: TerminalAnswer) => void): () => void;
  /**
   * Keeps keys back until {@link release}, at most for a second: between deciding to open a list
   * that reads Ink's keys and its mount, so that what is typed ahead goes into it.
   */
  hold(): void;
  release(): void;
  /**
   * Takes the terminal's input: raw mode, pastes bracketed, the kitty keyboard protocol where it is
   * offered. Needs a terminal, on the screen where the keys will be typed. Keys typed before arrive;
   * `typed` is what somebody else has read of them.
   */
  start(typed?: Uint8Array): void;
  /**
   * Gives out at once the keys that were handed to {@link start}, as far as the handler takes them:
   * before anything is drawn, so that the first frame answers them.
   */
  deliverTyped(): void;
  /**
   * Gives the terminal's input back as it was found, for good or while another program has the
   * terminal. Keys not yet given out are dropped: they were typed for what is now gone. Belongs
   * before the screen is left; answers still on their way go to whoever reads next, so that
   * {@link leave} is better where there is time.
   */
  stop(): void;
  /**
   * Like {@link stop}, but reads until all that was asked is answered, half a second at most, lest
   * the shell be typed the answers. The modes are given back at once: the screen may be left while
   * this waits, as long as nothing more is asked.
   */
  leave(): Promise<void>;
  /** Sets the input modes again that a stop by job control has given back to the shell. */
  reassert(): void;
}

/**
 * The keyboard. Reads the terminal and gives out one event per turn of the event loop, in order:
 * to the root handler first, then, when it passes, to Ink. Keys typed before a handler is set wait.
 */
export function createKeys({ input, output, timers = systemTimers }: KeysOptions): Keys {
  const ink = new InkStdin();
  const parser = new KeyParser();
  let queue: KeyEvent[] = [];
  const listeners = new Set<(answer: TerminalAnswer) => void>();
  let handler: ((event: KeyEvent) => KeyVerdict) | undefined;
  const modes = new InputModes(output);
  let running = false;
  let leaving: PromiseWithResolvers<void> | undefined;
  let leaveLimit: NodeJS.Timeout | undefined;
  let scheduled = false;
  let held: NodeJS.Timeout | undefined;
  let expiry: NodeJS.Timeout | undefined;

  function schedule(): void {
    const ready = running && leaving === undefined && held === undefined && handler !== undefined;
    if (!ready || scheduled || queue.length === 0) return;
    scheduled = true;
    timers.setImmediate(() => {
      scheduled = false;
      deliver();
      schedule();
    });
  }

  function deliver(): void {
    if (leaving !== undefined || held !== undefined || handler === undefined) return;
    const event = queue.shift();
    if (event !== undefined && handler(event) === 'pass') ink.give(event);
  }

  function hear(answer: TerminalAnswer): void {
    for (const listener of listeners) listener(answer);
    if (modes.hear(answer, timers.now()) && leaving !== undefined) stop();
  }

  function receive(inputs: readonly Input[]): void {
    for (const received of inputs) {
      if (!running) return; // What was heard has stopped it.
      if (!('name' in received)) hear(received);
      else if (leaving === undefined) queue.push(received);
    }
    schedule();
    timers.clearTimeout(expiry);
    const deadline = parser.deadline();
    if (deadline === undefined) return;
    // A turn later: had the loop been busy, the rest of the sequence waits to be read.
    const expire = (): void => {
      timers.setImmediate(() => {
        if (running) receive(parser.expire(timers.now()));
      });
    };
    expiry = timers.setTimeout(expire, Math.max(0, deadline - timers.now()));
  }

  const read = (chunk: Uint8Array): void => receive(parser.push(chunk, timers.now()));

  /** What was typed ahead of raw mode comes in the first chunk, where Enter has become a newline. */
  const readFirst = (chunk: Uint8Array): void => {
    input.off('data', readFirst);
    input.on('data', read);
    read(chunk.map((byte) => (byte === newline ? carriageReturn : byte)));
  };

  function release(): void {
    timers.clearTimeout(held);
    held = undefined;
    schedule();
  }

  function start(typed?: Uint8Array): void {
    if (leaving !== undefined) stop();
    if (running) return;
    running = true;
    // The rest of a paste or a sequence that was torn just now is no key.
    parser.expire(timers.now());
    receive([]);
    input.setRawMode(true);
    input.ref();
    input.once('data', readFirst);
    input.resume();
    modes.take(timers.now());
    if (typed !== undefined && typed.length > 0) readFirst(typed);
  }

  function dropKeys(): void {
    timers.clearTimeout(held);
    held = undefined;
    queue = [];
  }

  function stop(): void {
    if (!running) return;
    running = false;
    timers.clearTimeout(expiry);
    timers.clearTimeout(leaveLimit);
    dropKeys();
    input.off('data', readFirst);
    input.off('data', read);
    input.pause();
    input.unref();
    if (leaving === undefined) modes.giveBack(timers.now());
    input.setRawMode(false);
    leaving?.resolve();
    leaving = undefined;
  }

  async function leave(): Promise<void> {
    if (leaving !== undefined) return leaving.promise;
    if (!running || modes.isSilent(timers.now())) return stop();
    leaving = Promise.withResolvers();
    dropKeys();
    modes.giveBack(timers.now());
    modes.askLast(timers.now());
    leaveLimit = timers.setTimeout(stop, answerLimit);
    return leaving.promise;
  }

  function deliverTyped(): void {
    // What one key opens may hold the rest back; a delivery that gives nothing out ends it.
    for (let left = queue.length; left > 0; left -= 1) deliver();
  }

  return {
    stdin: ink as unknown as NodeJS.ReadStream,
    onKey(next) {
      handler = next;
      schedule();
      return () => {
        if (handler === next) handler = undefined;
      };
    },
    onAnswer(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    hold() {
      timers.clearTimeout(held);
      held = timers.setTimeout(release, holdLimit);
    },
    release,
    start,
    deliverTyped,
    stop,
    leave,
    reassert() {
      if (!running || leaving !== undefined) return;
      modes.giveBack(timers.now());
      // Node sets raw mode only when it believes it is off.
      input.setRawMode(false);
      input.setRawMode(true);
      modes.take(timers.now());
    },
  };
}
