import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { type CrashLogOptions, logCrash } from './crash-log.ts';
import type { Keys } from './keys/keys.ts';
import type { TerminalOutput } from './link/output.ts';
import { sanitize } from './screen/sanitize.ts';

/** Signals that end the program. A terminal that vanishes without one counts as `SIGHUP`. */
const endingSignals = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT'] as const;

type EndingSignal = (typeof endingSignals)[number];

/**
 * A signal this soon after the first is the same one delivered twice: npm passes on what the whole
 * process group has got already.
 */
const sameSignal = 1000;

export interface GuardOptions {
  readonly input: NodeJS.ReadStream;
  readonly output: TerminalOutput;
  readonly keys: Pick<Keys, 'stop' | 'leave' | 'reassert'>;
  /** Asks the terminal nothing more: its answers are awaited before it is left. */
  readonly silence: () => void;
  /**
   * Ends the program's business on a signal; called once. The program exits when it is done, at the
   * latest after `shutdownLimit`. The screen stays as it is meanwhile.
   */
  readonly shutdown: (signal: EndingSignal) => Promise<void> | void;
  readonly crashLog: CrashLogOptions;
  /** Whether an uncaught error is one that the program told of and goes on after. */
  readonly outlives?: (error: unknown) => boolean;
  /** The program runs again after a stop by job control: the screen must be painted afresh. */
  readonly onContinue?: () => void;
  /** Milliseconds that the shutdown may take; ten seconds unless given. */
  readonly shutdownLimit?: number;
}

export interface TerminalGuard {
  /** Leaves the terminal as it was found, for good. Does nothing when called again. */
  restore(): void;
  /**
   * Runs something that has the terminal meanwhile: its keys and its stops are for that. Without
   * this, `^C` in another program would end this one too.
   */
  away<T>(run: () => Promise<T>): Promise<T>;
  /** Ends the program for an error that something caught on the way, as for an uncaught one. */
  crash(error: unknown): void;
}

/**
 * Leaves the terminal as it was found, whatever ends the program: a return or `process.exit`, a
 * signal, an uncaught error, or the loss of the terminal itself. Signals end with the exit code
 * 128 + n, errors with 1. A second SIGTERM, SIGINT or SIGQUIT does not wait for the shutdown.
 */
export function guardTerminal(options: GuardOptions): TerminalGuard {
  const { input, output, keys, silence, shutdown, crashLog, onContinue } = options;
  const { shutdownLimit = 10_000 } = options;
  let endingSince: number | undefined;
  let crashed = false;
  let isAway = false;

  function restore(): void {
    try {
      keys.stop();
    } catch {
      // The terminal is gone, and its modes with it.
    }
    output.restore();
  }

  /** Nothing but the terminal's answers is awaited: typed to the shell, they would be noise. */
  async function leaveInput(): Promise<void> {
    silence();
    try {
      await keys.leave();
    } catch {
      // The terminal is gone.
    }
  }

  function crash(error: unknown): void {
    if (crashed) return;
    crashed = true;
    const sentence = sanitize(logCrash(error, crashLog));
    void fall(sentence);
  }

  async function fall(sentence: string): Promise<void> {
    await leaveInput();
    restore();
    try {
      writeSync(2, `${sentence}\n`);
    } catch {
      // Nobody is left to read it.
    }
    process.exit(1);
  }

  function end(signal: EndingSignal): void {
    if (isAway && (signal === 'SIGINT' || signal === 'SIGQUIT')) return;
    const code = 128 + constants.signals[signal];
    const now = performance.now();
    if (endingSince !== undefined) {
      if (signal === 'SIGHUP' || now - endingSince < sameSignal) return;
      restore();
      process.exit(code);
    }
    endingSince = now;
    void settle(signal, code);
  }

  async function settle(signal: EndingSignal, code: number): Promise<void> {
    const limit = setTimeout(leave, shutdownLimit);
    function leave(): void {
      clearTimeout(limit);
      restore();
      process.exit(code);
    }
    try {
      await shutdown(signal);
      if (signal !== 'SIGHUP') await leaveInput();
      leave();
    } catch (error) {
      crash(error);
    }
  }

  const vanished = (): void => end('SIGHUP');
  input.on('error', vanished);
  input.on('end', vanished);
  output.stdout.on('error', vanished);
  process.stderr.on('error', () => {}); // Gone with the terminal; no reason to end differently.
  for (const signal of endingSignals) process.on(signal, end);
  process.on('SIGCONT', () => {
    if (endingSince !== undefined || isAway) return;
    // The kernel told another of a new size; Node asks for it again on this.
    process.emit('SIGWINCH', 'SIGWINCH');
    onContinue?.();
    keys.reassert();
  });
  process.on('uncaughtException', (error: unknown) => {
    if (endingSince !== undefined || options.outlives?.(error) !== true) crash(error);
  });
  process.on('exit', restore);

  async function away<T>(run: () => Promise<T>): Promise<T> {
    isAway = true;
    try {
      return await run();
    } finally {
      isAway = false;
    }
  }

  return { restore, away, crash };
}
