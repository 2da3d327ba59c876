import path from 'node:path';
import { addProfile, type ProfileSettings } from '../../config/edit-config.ts';
import { CommandFailure, usageProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { changeConfig, openConfig } from './change-config.ts';

interface AddFlags {
  readonly url: string | undefined;
  readonly 'token-file': string | undefined;
  readonly 'token-command': string | undefined;
  readonly wallet: string | undefined;
  readonly 'read-only': boolean;
  readonly colour: string | undefined;
  readonly 'restart-delay': string | undefined;
  readonly 'stream-auth': string | undefined;
  readonly default: boolean;
}

/** Adds a profile to the configuration file. */
export async function addProfileCommand(
  context: CommandContext,
  { args: [name = ''], flags }: CommandWords<AddFlags>,
): Promise<ExitCode> {
  const { cwd, options, output } = context;
  if (flags.url === undefined) {
    throw new CommandFailure(usageProblem('hostdeck profiles add needs --url URL.', usageNext));
  }
  const opened = openConfig(context);
  const { text, config } = opened;
  if (config.profiles.has(name)) {
    throw new CommandFailure({
      exit: exitCodes.conflict,
      code: 'conflict',
      sentence: `${config.path} has a profile ${name} already.`,
      next: `Edit it there, or remove it: hostdeck profiles remove ${name}`,
    });
  }
  const settings = settingsOf(flags.url, flags, cwd);
  const edited = addProfile(text, name, settings, flags.default);
  await changeConfig(context, opened, edited);
  const done = options.dryRun ? 'Would add' : 'Added';
  await output.result([`${done} profile ${name} to ${config.path}.`], {
    name,
    path: config.path,
    result: options.dryRun ? 'would be added' : 'added',
  });
  const hasToken = flags['token-file'] !== undefined || flags['token-command'] !== undefined;
  if (!options.dryRun && !hasToken) {
    output.note(`hostdeck --profile ${name} asks for the token, and can store it.`);
  }
  return exitCodes.done;
}

const usageNext = 'See hostdeck profiles add --help.';

/** Returns the keys of the profile in the order of the documentation. */
function settingsOf(url: string, flags: AddFlags, cwd: string): ProfileSettings {
  const { 'token-file': file, 'read-only': readOnly } = flags;
  const values: Record<string, string | boolean | undefined> = {
    baseUrl: url,
    // The shell's folder is not the one that the file's paths are relative to.
    tokenFile: file === undefined || file.startsWith('~/') ? file : path.resolve(cwd, file),
    tokenCommand: flags['token-command'],
    wallet: flags.wallet,
    readOnly: readOnly || undefined,
    colour: flags.colour,
    restartDelay: flags['restart-delay'],
    streamAuth: flags['stream-auth'],
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as ProfileSettings;
}
