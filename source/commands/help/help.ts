import { CommandFailure, usageProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';
import { helpOf } from '../table/command-help.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { findCommand } from '../table/find-command.ts';

/** Prints the help of the program, or of the command that the words name. */
export async function printHelp(
  { commands, columns, output }: CommandContext,
  { args }: CommandWords,
): Promise<ExitCode> {
  const text = helpOf(args, commands, columns);
  if (text === undefined) {
    const found = findCommand(args, commands);
    const sentence =
      found.kind === 'unknown' ? found.sentence : `Unknown command ${args.join(' ')}.`;
    throw new CommandFailure(usageProblem(sentence, 'hostdeck --help lists all commands.'));
  }
  await output.write(text);
  return exitCodes.done;
}

/** Prints the version of the program. */
export async function printVersion({ output, version }: CommandContext): Promise<ExitCode> {
  await output.result([version], { version });
  return exitCodes.done;
}
