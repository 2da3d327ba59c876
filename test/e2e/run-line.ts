import path from 'node:path';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { exitOf, usageProblem } from '../../source/commands/command-problem.ts';
import { type AskingTerminal, createConfirm } from '../../source/commands/confirm/confirm.ts';
import { exitCodes } from '../../source/commands/exit-codes.ts';
import { createCommandOutput } from '../../source/commands/output/command-output.ts';
import type { CommandContext } from '../../source/commands/table/command-context.ts';
import { helpOf } from '../../source/commands/table/command-help.ts';
import { commandTable } from '../../source/commands/table/command-table.ts';
import { commandLineOf } from '../../source/commands/table/described-command.ts';
import { parseCommand } from '../../source/commands/table/parse-command.ts';
import type { CommonOptions } from '../../source/commands/table/shared-flags.ts';
import { foldersOf } from '../../source/config/environment.ts';
import { noOptions } from '../../source/start/command-context.ts';
import { runWithConnection } from '../../source/start/command-service.ts';
import { systemClock } from '../support/system-clock.ts';
import type { ProgramEnd, ProgramRun } from './run-program.ts';

const entry = path.resolve(import.meta.dirname, '../../dist/cli.js');

/** Text that a stream has taken. It copies pieces as a pipe does: the writer may reuse their memory. */
class Collected {
  readonly stream = new PassThrough();
  readonly #pieces: Buffer[] = [];

  constructor() {
    this.stream.on('data', (piece: Buffer) => this.#pieces.push(Buffer.from(piece)));
  }

  toString(): string {
    return Buffer.concat(this.#pieces).toString();
  }
}

export interface LineRun extends Omit<ProgramRun, 'input'> {
  /** Text or bytes that stdin has; empty by default. */
  readonly input?: string | Buffer;
}

/**
 * Runs a command line like `runProgram`, in this process: without the start of a program, which takes
 * most of the time of a command. `closed-pipe.test.ts` shows that each command runs in the program.
 */
export async function runLine(argv: readonly string[], run: LineRun): Promise<ProgramEnd> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const { signal } = new AbortController();
  const code = await runLineInto(argv, {
    ...run,
    stdout: stdout.stream,
    stderr: stderr.stream,
    isTerminal: false,
    signal,
    open: () => undefined,
  });
  return { stdout: String(stdout), stderr: String(stderr), code };
}

export interface StreamedRun extends LineRun {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly isTerminal: boolean;
  /** Ends the command as a signal does. */
  readonly signal: AbortSignal;
  /** Opens the terminal to ask on; undefined where there is none. */
  readonly open: () => AskingTerminal | undefined;
}

/** Runs a command line that writes and asks while it runs; resolves with its exit code. */
export function runLineInto(
  argv: readonly string[],
  { home, env: added = {}, input = '', cwd = home.folder, open, ...streams }: StreamedRun,
): Promise<number> {
  const env = { PATH: process.env['PATH'], ...home.env, ...added };
  const { signal } = streams;
  const pipes = { ...streams, columns: 80 };
  return codeOf(argv, (options) => ({
    ...pipes,
    options,
    commands: commandTable,
    version: '0',
    env,
    folders: foldersOf(env, home.env['HOME'] ?? ''),
    home: home.env['HOME'] ?? '',
    cwd,
    stdin: () => Readable.from([Buffer.from(input)]),
    clock: systemClock,
    output: createCommandOutput({ ...pipes, ...options, now: () => systemClock.now() }),
    confirm: createConfirm({ yes: options.yes, signal, open }),
    async editText() {
      throw new Error('A test of an editor needs the program.');
    },
  }));
}

/** Runs a command line as `source/start/command-line.ts` does. */
async function codeOf(
  argv: readonly string[],
  contextOf: (options: CommonOptions) => CommandContext,
): Promise<number> {
  const parsed = parseCommand(argv, commandTable);
  switch (parsed.kind) {
    case 'program':
    case 'version':
      throw new Error('It needs the program.');
    case 'help': {
      const { output, columns } = contextOf(noOptions(false));
      await output.write(helpOf(parsed.path, commandTable, columns) ?? '');
      return exitCodes.done;
    }
    case 'usage': {
      const problem = usageProblem(parsed.sentence, `See ${commandLineOf(parsed)} --help.`);
      return contextOf(noOptions(parsed.isJson)).output.fail(problem);
    }
    case 'command': {
      const { command, words, connection, options } = parsed;
      const context = contextOf(options);
      return exitOf(
        command.kind === 'local'
          ? (await command.run())(context, words)
          : runWithConnection({ context, command, words, connection, entry }),
        (problem) => context.output.fail(problem),
      );
    }
  }
}
