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
  if (!opened.ok) return output.fail(opened.problem);
  const { text, config } = opened.value;
  const found = findProfile(name, config);
  if (!found.ok) return output.fail(found.problem);
  const { baseUrl, token } = found.profile;
  const stored = storedTokenFile(folders.config, baseUrl, name);
  const hasStored = existsSync(stored);
  const isDefault = config.defaultProfile === name;
  if (!options.dryRun) {
    const declined = await confirm.ask({
      facts: [
        `${name} of ${config.path} connects to ${baseUrl}.`,
        ...(hasStored ? [`Its stored token is removed: ${stored}`] : []),
        ...(token?.kind === 'file' ? [`Its token file stays: ${token.path}`] : []),
        ...(isDefault ? ['It is the default. Without one, the host on this machine is.'] : []),
      ],
      question: `Remove profile ${name}?`,
    });
    if (declined !== undefined) return output.fail(declined);
  }
  const problem = await changeConfig(context, opened.value, removeProfile(text, name));
  if (problem !== undefined) return output.fail(problem);
  if (hasStored && !options.dryRun) await removeForGood(stored);
  const done = options.dryRun ? 'Would remove' : 'Removed';
  await output.result([`${done} profile ${name}.`], {
    name,
    result: options.dryRun ? 'would be removed' : 'removed',
  });
  return exitCodes.done;
}
