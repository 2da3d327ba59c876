/** Makes the context of a command from this process. */
import { homedir } from 'node:os';
import packageJson from '../../package.json' with { type: 'json' };
import { createConfirm } from '../commands/confirm/confirm.ts';
import { openControllingTerminal } from '../commands/confirm/controlling-terminal.ts';
import { createCommandOutput } from '../commands/output/command-output.ts';
import type { CommandContext } from '../commands/table/command-context.ts';
import { commandTable } from '../commands/table/command-table.ts';
import type { CommonOptions } from '../commands/table/shared-flags.ts';
import { foldersOf } from '../config/environment.ts';
import { drawingObstacle, isScreenReader } from '../terminal/traits.ts';
import { machineClock } from './machine-clock.ts';
import { lazyPart } from '../system/lazy-part.ts';

const externalEditor = lazyPart(() => import('../desktop/external-editor.ts'));

/** Cells of a row where stdout is no terminal. */
const defaultColumns = 80;

/** Returns the options of a command line that gives none, apart from the form of errors. */
export function noOptions(json: boolean): CommonOptions {
  return { json, fields: undefined, quiet: false, yes: false, dryRun: false };
}

/** Returns the context of a command. */
export function createCommandContext(options: CommonOptions, signal: AbortSignal): CommandContext {
  const { env, stdout, stderr } = process;
  const home = homedir();
  const isTerminal = stdout.isTTY;
  const columns = isTerminal ? stdout.columns : defaultColumns;
  const clock = machineClock;
  return {
    options,
    commands: commandTable,
    version: packageJson.version,
    env,
    folders: foldersOf(env, home),
    home,
    cwd: process.cwd(),
    stdin: () => process.stdin,
    stdout,
    stderr,
    isTerminal,
    columns,
    clock,
    signal,
    output: createCommandOutput({
      ...options,
      stdout,
      stderr,
      isTerminal,
      columns,
      now: () => clock.now(),
      progressColumns: isErasable(stderr, env) ? () => stderr.columns : undefined,
      signal,
    }),
    confirm: createConfirm({ yes: options.yes, signal, open: openControllingTerminal }),
    async editText(text, name) {
      const { handToEditor } = await externalEditor();
      return handToEditor(text, name, env);
    },
  };
}

/** Returns whether a line on stderr can be erased: a screen reader would read each version of it. */
function isErasable({ isTTY }: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  return isTTY && drawingObstacle(env) === undefined && !isScreenReader(env);
}
