import type { TerminalAnswer } from '../link/answers.ts';
import { InkStdin } from './ink-stdin.ts';
import { answerTimeout, InputModes } from '../input-modes.ts';
import { type TerminalInput, KeyParser } from './key-parser.ts';
import { type KeyDecision, KeyQueue, type QueueTimers } from './key-queue.ts';
import { monotonicTime } from '../monotonic-time.ts';
import type { KeyEvent } from './key-sequences.ts';
import type { MouseEvent } from './mouse-report.ts';

/** Milliseconds in which the answer to a request of the background is expected. */
const backgroundDelay = 30_000;

const newline = 0x0a;
const carriageReturn = 0x0d;

/** The clock and the event loop, for tests. */
interface KeyTimers extends QueueTimers {
  now(): number;
}

export interface KeysOptions {
  /** The terminal's input. */
  readonly input: NodeJS.ReadStream;
  /** The output on which the terminal's modes are switched. */
  readonly output: { write(data: string): unknown };
  /** False to leave the modes of the terminal as they are, and to request nothing; true by default. */
  readonly hasModes?: boolean;
  /** Returns whether to request the terminal's background each time that the keyboard starts. */
  readonly asksBackground?: () => boolean;
  readonly timers?: KeyTimers;
}

const systemTimers: KeyTimers = {
  now: monotonicTime,
  setTimeout,
  clearTimeout,
  setImmediate,
};

export interface Keys {
  /** The stream for Ink's `stdin` option: keys that the root handler passes, one chunk each. */
  readonly stdin: NodeJS.ReadStream;
  /** Returns true while a component of Ink reads the keys that are passed. */
  hasReader(): boolean;
  /** Sets the root handler, replacing an earlier one; returns a function that removes it. */
  onKey(handler: (event: KeyEvent) => KeyDecision): () => void;
  /**
   * Sets the handler of the mouse, whose events come in order with the keys. It returns the names of
   * keys that are delivered next. Returns a function that removes the handler.
   */
  onMouse(handler: (event: MouseEvent) => readonly string[]): () => void;
  /** Switches reports of the mouse on or off; off after a stop, and on again after a start. */
  setMouse(isOn: boolean): void;
  /**
   * Calls `listener` with each answer of the terminal as soon as it is read, before pending keys;
   * returns a function that removes the listener.
   */
  onAnswer(listener: (answer: TerminalAnswer) => void): () => void;
  /**
   * Delays keys until {@link release}, for at most a second: between the decision to open a list
   * that reads Ink's keys and its mount, so that the list gets keys typed ahead.
   */
  hold(): void;
  release(): void;
  /**
   * Starts reading the terminal: raw mode, bracketed paste, and the kitty keyboard protocol where
   * the terminal offers it. The screen on which keys will be typed must be active. Keys typed
   * before are read too; `typed` are bytes that other code has already read.
   */
  start(typed?: Uint8Array): void;
  /**
   * Delivers the keys given to {@link start} at once, until the handler holds them, so that the
   * first frame already shows their effect.
   */
  deliverTypedAhead(): void;
  /**
   * Restores the terminal's input, for good or while another program owns the terminal. Pending keys
   * are dropped. Must come before the screen is left. Outstanding answers go to the next reader, so
   * prefer {@link leave} where there is time.
   */
  stop(): void;
  /**
   * Like {@link stop}, but first reads outstanding answers, for at most half a second, so that the
   * shell doesn't read them as typed. The modes are restored at once: the screen may be left
   * meanwhile, but no further request may be written.
   */
  leave(): Promise<void>;
  /**
   * Requests the terminal's background. Its answer, if any, comes to the listeners of
   * {@link onAnswer}. Before {@link start}, other code must read the terminal in raw mode.
   */
  requestBackground(): void;
  /** Sets the input modes again after a stop by job control, which restored those of the shell. */
  reassert(): void;
}

/**
 * Creates the keyboard. It reads the terminal and delivers one event per turn of the event loop, in
 * order: to the root handler, and from there to Ink if the handler passes it. Keys typed before a
 * handler is set stay queued.
 */
export function createKeys(options: KeysOptions): Keys {
  const { input, asksBackground = () => false, timers = systemTimers, hasModes = true } = options;
  const ink = new InkStdin();
  const parser = new KeyParser();
  const queue = new KeyQueue(ink, timers);
  const listeners = new Set<(answer: TerminalAnswer) => void>();
  const modes = new InputModes(hasModes ? options.output : { write() {} });
  let isRunning = false;
  let leaving: PromiseWithResolvers<void> | undefined;
  let leaveTimer: NodeJS.Timeout | undefined;
  let expiryTimer: NodeJS.Timeout | undefined;

  function handleAnswer(answer: TerminalAnswer): void {
    for (const listener of listeners) listener(answer);
    const isLast = modes.handleAnswer(answer, timers.now());
    if (isLast || answer.kind === 'background') parser.expectString(0);
    if (isLast && leaving !== undefined) stop();
  }

  function receive(inputs: readonly TerminalInput[]): void {
    for (const event of inputs) {
      if (!isRunning) return; // A listener has stopped the keyboard.
      if (!('name' in event) && event.kind !== 'mouse') handleAnswer(event);
      else if (leaving === undefined) queue.add(event);
    }
    queue.schedule();
    timers.clearTimeout(expiryTimer);
    const deadline = parser.deadline();
    if (deadline === undefined) return;
    // A turn later, because after a busy loop the rest of the sequence may still be unread.
    const expire = (): void => {
      timers.setImmediate(() => {
        if (isRunning) receive(parser.expire(timers.now()));
      });
    };
    expiryTimer = timers.setTimeout(expire, Math.max(0, deadline - timers.now()));
  }

  const read = (chunk: Uint8Array): void => receive(parser.push(chunk, timers.now()));

  /** Reads the first chunk, which holds keys typed before raw mode, with Enter as a newline. */
  const readFirst = (chunk: Uint8Array): void => {
    input.off('data', readFirst);
    input.on('data', read);
    read(chunk.map((byte) => (byte === newline ? carriageReturn : byte)));
  };

  function start(typed?: Uint8Array): void {
    if (leaving !== undefined) stop();
    if (isRunning) return;
    isRunning = true;
    queue.isOpen = true;
    // Discards a paste or a sequence that the last stop interrupted, once it has expired.
    parser.expire(timers.now());
    receive([]);
    input.setRawMode(true);
    input.ref();
    input.once('data', readFirst);
    input.resume();
    enableModes();
    if (typed !== undefined && typed.length > 0) readFirst(typed);
  }

  function enableModes(): void {
    const asks = asksBackground();
    if (asks) expectBackground();
    modes.enable(timers.now(), asks);
  }

  function expectBackground(): void {
    parser.expectString(timers.now() + backgroundDelay);
  }

  function stop(): void {
    if (!isRunning) return;
    isRunning = false;
    queue.isOpen = false;
    timers.clearTimeout(expiryTimer);
    timers.clearTimeout(leaveTimer);
    queue.drop();
    input.off('data', readFirst);
    input.off('data', read);
    input.pause();
    input.unref();
    if (leaving === undefined) modes.disable(timers.now());
    input.setRawMode(false);
    leaving?.resolve();
    leaving = undefined;
  }

  async function leave(): Promise<void> {
    if (leaving !== undefined) return leaving.promise;
    if (!isRunning || !hasModes || modes.isUnresponsive(timers.now())) return stop();
    leaving = Promise.withResolvers();
    queue.isOpen = false;
    queue.drop();
    modes.disable(timers.now());
    modes.requestAttributes(timers.now());
    leaveTimer = timers.setTimeout(stop, answerTimeout);
    return leaving.promise;
  }

  return {
    stdin: ink as unknown as NodeJS.ReadStream,
    hasReader: () => ink.hasReader(),
    onKey: (handler) => queue.onKey(handler),
    onMouse: (handler) => queue.onMouse(handler),
    setMouse: (isOn) => modes.setMouse(isOn),
    onAnswer(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    hold: () => queue.hold(),
    release: () => queue.release(),
    start,
    deliverTypedAhead: () => queue.deliverAll(),
    stop,
    leave,
    requestBackground() {
      if (leaving !== undefined) return;
      expectBackground();
      if (isRunning) modes.requestBackground(timers.now());
      else modes.requestBackgroundEarly(timers.now());
    },
    reassert() {
      if (!isRunning || leaving !== undefined) return;
      modes.disable(timers.now());
      // Node sets raw mode only if it believes that raw mode is off.
      input.setRawMode(false);
      input.setRawMode(true);
      enableModes();
    },
  };
}
