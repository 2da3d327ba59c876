import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';

/** Prints the version of the program. */
export async function printVersion({ output, version }: CommandContext): Promise<ExitCode> {
  await output.result([version], { version });
  return exitCodes.done;
}
