import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { completionScripts, type CompletionShell } from './completion-scripts.ts';

/** Prints the completion script of a shell. */
export async function printCompletionScript(
  { output }: CommandContext,
  { args: [shell] }: CommandWords,
): Promise<ExitCode> {
  await output.write(completionScripts[shell as CompletionShell]);
  return exitCodes.done;
}
