/** Runs a command line that is not the console's: finds its command in the table, and runs it. */
import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { exitOf, usageProblem } from '../commands/command-problem.ts';
import { completionWord } from '../commands/completion/completion-scripts.ts';
import { type ExitCode, exitCodes } from '../commands/exit-codes.ts';
import { commandLineOf } from '../commands/table/described-command.ts';
import { commandTable } from '../commands/table/command-table.ts';
import { helpOf } from '../commands/table/command-help.ts';
import { type ParsedCommand, parseCommand } from '../commands/table/parse-command.ts';
import type { ConsoleInvocation } from '../config/arguments.ts';
import { applyTimeZone } from '../config/time-zone.ts';
import { drawingObstacle, isScreenReader } from '../terminal/traits.ts';
import { createCommandContext, noOptions } from './command-context.ts';
import { runWithConnection } from './command-service.ts';
import { watchedPipe } from '../system/pipe-reader.ts';
import { foldersOf } from '../config/environment.ts';
import { PartError } from '../system/lazy-part.ts';
import { logCrash } from '../terminal/crash-log.ts';
import { sanitize } from '../terminal/screen/sanitize.ts';

/**
 * Runs a command line and returns its exit code.
 * @param entry path of the program, to start the host with.
 */
export async function runCommandLine(argv: readonly string[], entry: string): Promise<number> {
  endOnUnhandledErrors();
  applyTimeZone(process.env);
  if (argv[0] === completionWord) {
    const { answerCompletion } = await import('../commands/completion/answer-completion.ts');
    const context = createCommandContext(noOptions(false), watchSignals().signal);
    await answerCompletion(argv.slice(1), context);
    return exitCodes.done;
  }
  const parsed = parseCommand(argv, commandTable);
  if (parsed.kind === 'program') {
    const [{ run }, { readArguments }] = await Promise.all([
      import('./run.ts'),
      import('../config/arguments.ts'),
    ]);
    const invocation = readArguments(argv);
    if (invocation.kind !== 'usage') {
      const failedWrite = invocation.kind === 'console' ? undefined : watchOutput();
      return endOf(await run(invocation, entry), failedWrite?.());
    }
    const { sentence } = invocation;
    const usage = { kind: 'usage', sentence, path: parsed.path, isJson: false } as const;
    return runParsed(usage, entry, watchSignals().signal);
  }
  const opened = openedConsole(parsed);
  if (opened !== undefined) return (await import('./run.ts')).run(opened, entry);
  const signals = watchSignals();
  if (parsed.kind === 'command' && parsed.command.endsWithReader === true) signals.endWithReader();
  const failedWrite = watchOutput();
  const code = await runParsed(parsed, entry, signals.signal);
  return signals.exitCode() ?? endOf(code, failedWrite());
}

/** Returns the exit code of a command whose output may have failed, and tells that. */
function endOf(code: number, failure: string | undefined): number {
  if (failure === undefined) return code;
  process.stderr.write(`error: ${failure}\n`);
  return exitCodes.failed;
}

/** Returns the console that a command opens on this terminal; undefined where the command prints. */
function openedConsole(
  parsed: Exclude<ParsedCommand, { kind: 'program' }>,
): ConsoleInvocation | undefined {
  if (parsed.kind !== 'command' || parsed.command.kind !== 'service') return undefined;
  const { command, words, options, connection } = parsed;
  const { stdin, stdout, env } = process;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  const opened = command.opensConsole?.(words, options);
  if (opened === undefined) return undefined;
  const isDrawn = !opened.screenReader && !isScreenReader(env);
  if (isDrawn && drawingObstacle(env) !== undefined) return undefined;
  return { kind: 'console', ...connection, ...opened };
}

async function runParsed(
  parsed: Exclude<ParsedCommand, { kind: 'program' }>,
  entry: string,
  signal: AbortSignal,
): Promise<ExitCode> {
  const context = createCommandContext(
    parsed.kind === 'command'
      ? parsed.options
      : noOptions(parsed.kind === 'usage' && parsed.isJson),
    signal,
  );
  switch (parsed.kind) {
    case 'help':
      await context.output.write(helpOf(parsed.path, commandTable, context.columns) ?? '');
      return exitCodes.done;
    case 'version':
      await context.output.write(`${packageJson.version}\n`);
      return exitCodes.done;
    case 'usage':
      return context.output.fail(
        usageProblem(parsed.sentence, `See ${commandLineOf(parsed)} --help.`),
      );
    case 'command': {
      const { command, words, connection } = parsed;
      return exitOf(
        command.kind === 'local'
          ? (await command.run())(context, words)
          : runWithConnection({ context, command, words, connection, entry }),
        (problem) => context.output.fail(problem),
      );
    }
  }
}

/** The signals that a command has got. */
interface CommandSignals {
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
function watchSignals(): CommandSignals {
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
function watchOutput(): () => string | undefined {
  let failure: string | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= `Can't write the output: ${error.message}.`;
  });
  process.stderr.on('error', () => {});
  return () => failure;
}

/**
 * Writes the details of an unhandled error to the crash log, and exits with 1. A console
 * that draws has a handler of its own, which restores the terminal.
 */
function endOnUnhandledErrors(): void {
  const end = (error: unknown): void => {
    if (process.listeners('uncaughtException').at(-1) !== end) return;
    try {
      writeSync(2, `error: ${sanitize(sentenceOf(error))}\n`);
    } catch {
      // stderr can't be written to.
    }
    process.exit(1);
  };
  process.on('uncaughtException', end);
}

function sentenceOf(error: unknown): string {
  if (error instanceof PartError) return error.message;
  const file = path.join(foldersOf(process.env, homedir()).state, 'crash.log');
  const token = process.env['HOSTDECK_TOKEN'] ?? '';
  const redact = (details: string) =>
    token === '' ? details : details.replaceAll(token, '[token]');
  return logCrash(error, { file, redact });
}
