/** The signals that end a command, and writes to stdout that fail. */
import { type ExitCode, exitCodes } from '../commands/exit-codes.ts';
import { watchedPipe } from '../system/pipe-reader.ts';

/** The signals that a command has got. */
export interface CommandSignals {
  /** Aborted by the first signal; a second one ends the process at once. */
  readonly signal: AbortSignal;
  /** Returns the exit code of the signal; undefined without one. */
  exitCode(): ExitCode | undefined;
  /** Ends the command, as done, once the reader of stdout has gone. */
  endWithReader(): void;
}

/** Milliseconds between two checks of the pipe of stdout. */
const readerInterval = 1000;

const codes = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

/** Starts to watch for SIGINT and SIGTERM. */
export function watchSignals(): CommandSignals {
  const controller = new AbortController();
  let exitCode: ExitCode | undefined;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      exitCode ??= codes[name];
      controller.abort();
    });
  }
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    endWithReader() {
      const hasGone = watchedPipe(process.stdout.fd);
      if (hasGone === undefined) return;
      const timer = setInterval(() => {
        if (!hasGone()) return;
        clearInterval(timer);
        exitCode ??= exitCodes.done;
        controller.abort();
      }, readerInterval);
      timer.unref();
    },
  };
}

/**
 * Watches stdout. A reader that closes its pipe ends the output quietly.
 * @returns a function that returns why the output could not be written; undefined if it could.
 */
export function watchOutput(): () => string | undefined {
  let failure: string | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= `Can't write the output: ${error.message}.`;
  });
  process.stderr.on('error', () => {});
  return () => failure;
}
