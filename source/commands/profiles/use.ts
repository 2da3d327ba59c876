import { localProfile } from '../../config/config-file.ts';
import { setDefaultProfile } from '../../config/edit-config.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { changeConfig, openConfig } from './change-config.ts';
import { findProfile } from './find-profile.ts';

/** Makes a profile, or the host on this machine, the default. */
export async function useProfile(
  context: CommandContext,
  { args: [name = ''] }: CommandWords,
): Promise<ExitCode> {
  const { env, options, output } = context;
  const opened = openConfig(context);
  const { text, config } = opened;
  if (name !== localProfile) findProfile(name, config);
  await changeConfig(context, opened, setDefaultProfile(text, name));
  await output.result(
    [options.dryRun ? `Would make ${name} the default.` : `${name} is the default now.`],
    { name, result: options.dryRun ? 'would be the default' : 'default' },
  );
  const outranking = ['HOSTDECK_PROFILE', 'HOSTDECK_BASE_URL'].find(
    (variable) => (env[variable] ?? '') !== '',
  );
  if (outranking !== undefined) output.note(`${outranking} is set, and outranks the default.`);
  return exitCodes.done;
}
