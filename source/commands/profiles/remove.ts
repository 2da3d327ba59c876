import { existsSync } from 'node:fs';
import { removeProfile } from '../../config/edit-config.ts';
import { storedTokenFile } from '../../config/token-source.ts';
import { removeForGood } from '../../disk/atomic-file.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { changeConfig, openConfig } from './change-config.ts';
import { findProfile } from './find-profile.ts';

/** Removes a profile and its stored token after a question; token files of its own stay. */
export async function removeProfileCommand(
  context: CommandContext,
  { args: [name = ''] }: CommandWords,
): Promise<ExitCode> {
  const { confirm, folders, options, output } = context;
  const opened = openConfig(context);
  const { text, config } = opened;
  const { baseUrl, token } = findProfile(name, config);
  const stored = storedTokenFile(folders.config, baseUrl, name);
  const hasStored = existsSync(stored);
  const isDefault = config.defaultProfile === name;
  if (!options.dryRun) {
    await confirm.ask({
      facts: [
        `${name} of ${config.path} connects to ${baseUrl}.`,
        ...(hasStored ? [`Its stored token is removed: ${stored}`] : []),
        ...(token?.kind === 'file' ? [`Its token file stays: ${token.path}`] : []),
        ...(isDefault ? ['It is the default. Without one, the host on this machine is.'] : []),
      ],
      question: `Remove profile ${name}?`,
    });
  }
  await changeConfig(context, opened, removeProfile(text, name));
  if (hasStored && !options.dryRun) await removeForGood(stored);
  const done = options.dryRun ? 'Would remove' : 'Removed';
  await output.result([`${done} profile ${name}.`], {
    name,
    result: options.dryRun ? 'would be removed' : 'removed',
  });
  return exitCodes.done;
}
