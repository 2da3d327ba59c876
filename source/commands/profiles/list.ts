import type { ExitCode } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';
import { openConfig } from './change-config.ts';
import { listedProfiles, profileView } from './profile-view.ts';

/** Prints the profiles of the configuration file. */
export async function printProfiles(context: CommandContext): Promise<ExitCode> {
  const { folders, isTerminal, output } = context;
  const opened = openConfig(context);
  if (!opened.ok) return output.fail(opened.problem);
  const { config } = opened.value;
  const profiles = listedProfiles(config, folders.config);
  if (profiles.length === 0 && isTerminal) output.note(`No profiles in ${config.path}.`);
  return output.list(profiles, profileView);
}
