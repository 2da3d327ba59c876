import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { type CrashLogOptions, logCrash, logEnd } from './crash-log.ts';
import { PartError } from '../system/lazy-part.ts';
import type { Keys } from './keys/keys.ts';
import type { TerminalOutput } from './link/output.ts';
import { sanitize } from './screen/sanitize.ts';

/**
 * Signals that end the program, by default too. A terminal that vanishes without a signal counts as
 * `SIGHUP`.
 */
const endingSignals = [
  'SIGHUP',
  'SIGINT',
  'SIGTERM',
  'SIGQUIT',
  'SIGALRM',
  'SIGUSR2',
  'SIGXCPU',
] as const;

type EndingSignal = (typeof endingSignals)[number];

/** The cause of a shutdown that the person did not ask for: a signal, or `unasked` for any other. */
export type Ending = EndingSignal | 'unasked';

/**
 * Milliseconds in which a second signal counts as the first one delivered twice: npm forwards a
 * signal that the whole process group has received already.
 */
const duplicateWindow = 1000;

export interface GuardOptions {
  readonly input: NodeJS.ReadStream;
  readonly output: TerminalOutput;
  readonly keys: Pick<Keys, 'stop' | 'leave' | 'reassert'>;
  /** Stops all requests to the terminal, so that its last answers can be awaited. */
  readonly stopRequests: () => void;
  /**
   * Shuts the program down when it ends without being quit; called once. The program exits when this
   * settles, or after `shutdownLimit`. The screen does not change meanwhile.
   */
  readonly shutdown: (ending: Ending) => Promise<void> | void;
  /** Writes unsaved texts to disk; called once before the program ends for an error. */
  readonly keepWork?: () => Promise<void>;
  /** Returns sentences about what could not be kept, to tell them at the end. */
  readonly lost?: () => readonly string[];
  readonly crashLog: CrashLogOptions;
  /** Returns whether the program has reported an uncaught error and continues. */
  readonly isRecoverable?: (error: unknown) => boolean;
  /** Called when the program continues after a stop by job control, to repaint the screen. */
  readonly onContinue?: () => void;
  /** Milliseconds that the shutdown may take; 10,000 by default. */
  readonly shutdownLimit?: number;
}

export interface TerminalGuard {
  /**
   * Restores the terminal for good, because the program was quit, and leaves: any other end is
   * reported as an error, and so is one before `leave` resolves.
   */
  quit(leave?: () => Promise<void>): Promise<void>;
  /**
   * Runs another program that owns the terminal meanwhile, and ignores the signals of its keys:
   * otherwise `^C` in that program would end this one too.
   */
  lendTerminal<T>(run: () => Promise<T>): Promise<T>;
  /** Ends the program for a caught error as for an uncaught one. */
  crash(error: unknown): void;
  /**
   * Ends an idle program that nobody quit: shuts down, says why and exits with 1.
   * @param why the reason, as the end of a sentence without its full stop.
   */
  endUnasked(why: string): void;
}

/**
 * Restores the terminal whatever ends the program: a return or `process.exit`, a signal, an uncaught
 * error, or the loss of the terminal itself. The exit code is 128 + n after a signal and 1 after an
 * error. A second SIGTERM, SIGINT or SIGQUIT does not wait for the shutdown. An end with code 0 that
 * nobody asked for becomes an error.
 */
export function guardTerminal(options: GuardOptions): TerminalGuard {
  const { input, output, keys, stopRequests, shutdown, crashLog, onContinue } = options;
  const { shutdownLimit = 10_000, keepWork = async () => {}, lost = () => [] } = options;
  let endingSince: number | undefined;
  let crashed = false;
  let hasQuit = false;
  let isAway = false;
  let isSaid = false;
  let isLeaving = false;

  /** Writes the line that says why the program ends; without a terminal, to the crash log. */
  function sayEnd(sentence: string): void {
    if (isSaid) return;
    isSaid = true;
    for (const line of [sentence, ...lost().map((line) => sanitize(line))]) {
      if (!writeLine(line)) logEnd(line, crashLog);
    }
  }

  function restore(): void {
    try {
      keys.stop();
    } catch {
      // Without a terminal there is no mode to restore.
    }
    output.restore();
  }

  /** Waits for the terminal's last answers, which the shell would otherwise read as typed. */
  async function releaseInput(): Promise<void> {
    stopRequests();
    try {
      await keys.leave();
    } catch {
      // Without a terminal there is no answer to wait for.
    }
  }

  function crash(error: unknown): void {
    if (crashed) return;
    crashed = true;
    const sentence = error instanceof PartError ? error.message : logCrash(error, crashLog);
    void exitWith(sanitize(sentence));
  }

  async function exitWith(sentence: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, keepLimit);
    // A second failure must not keep the first one from being told.
    await Promise.race([promise, keepWork().catch(() => {})]);
    await releaseInput();
    restore();
    sayEnd(sentence);
    process.exit(1);
  }

  /** Ends the program on a signal, or as on one for the cause in `sentence`. */
  function end(signal: EndingSignal, sentence = `hostdeck was ended by ${signal}.`): void {
    if (isAway && (signal === 'SIGINT' || signal === 'SIGQUIT')) return;
    const code = 128 + constants.signals[signal];
    const now = performance.now();
    if (endingSince !== undefined) {
      if (signal === 'SIGHUP' || now - endingSince < duplicateWindow) return;
      restore();
      sayEnd(sentence);
      process.exit(code);
    }
    endingSince = now;
    void finish(signal, code, sentence);
  }

  function endUnasked(why: string): void {
    if (hasQuit || crashed || endingSince !== undefined) return;
    endingSince = performance.now();
    void finish('unasked', 1, logUnasked(why));
  }

  function logUnasked(why: string): string {
    // The resources that kept the program running help to find the cause.
    const resources = process.getActiveResourcesInfo().join(' ');
    const details = new Error(`${why}; active resources: ${resources || 'none'}`);
    return sanitize(logCrash(details, crashLog, `hostdeck ended by itself: ${why}`));
  }

  async function finish(ending: Ending, code: number, sentence: string): Promise<void> {
    const limit = setTimeout(exit, shutdownLimit);
    function exit(): void {
      clearTimeout(limit);
      restore();
      sayEnd(sentence);
      process.exit(code);
    }
    try {
      await shutdown(ending);
      if (ending !== 'SIGHUP') await releaseInput();
      exit();
    } catch (error) {
      crash(error);
    }
  }

  const fail = (stream: string) => (error: NodeJS.ErrnoException) => {
    end('SIGHUP', `The terminal's ${stream} failed (${error.code ?? error.message}).`);
  };
  const hangUp = (): void => end('SIGHUP', "The terminal's input was closed.");
  input.on('error', fail('input'));
  input.on('end', hangUp);
  // Without an end: a stream that was destroyed.
  input.on('close', hangUp);
  output.stdout.on('error', fail('output'));
  process.stderr.on('error', () => {}); // stderr vanishes with the terminal, which `hangUp` handles.
  for (const signal of endingSignals) process.on(signal, () => end(signal));
  process.on('SIGCONT', () => {
    if (endingSince !== undefined || isAway) return;
    // A new size was reported to another process; Node reads the size again on this signal.
    process.emit('SIGWINCH', 'SIGWINCH');
    onContinue?.();
    keys.reassert();
  });
  process.on('uncaughtException', (error: unknown) => {
    const isEnding = hasQuit || endingSince !== undefined;
    if (isEnding || options.isRecoverable?.(error) !== true) crash(error);
  });
  process.on('beforeExit', () => {
    if (isLeaving) crash(new Error('nothing was left to wait for'));
    else endUnasked('nothing was left to wait for');
  });
  process.on('exit', (code) => {
    // A process that ends doesn't handle signals: one more ends it, should a disk that hangs hold it.
    for (const signal of endingSignals) process.removeAllListeners(signal);
    restore();
    if (isSaid || hasQuit) return;
    sayEnd(logUnasked('something called process.exit'));
    if (code === 0) process.exitCode = 1;
  });

  async function away<T>(run: () => Promise<T>): Promise<T> {
    isAway = true;
    try {
      return await run();
    } finally {
      isAway = false;
    }
  }

  return {
    async quit(leave) {
      hasQuit = true;
      isLeaving = true;
      restore();
      await leave?.();
      isLeaving = false;
      for (const line of lost()) writeLine(sanitize(line));
    },
    lendTerminal: away,
    crash,
    endUnasked,
  };
}

/** Milliseconds that unsaved texts may take to be written before the program ends for an error. */
const keepLimit = 2000;

/** Writes a line to stderr; false where stderr is gone with the terminal. */
function writeLine(sentence: string): boolean {
  try {
    writeSync(2, `${sentence}\n`);
    return true;
  } catch {
    return false;
  }
}
