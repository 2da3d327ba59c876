import { existsSync } from 'node:fs';
import type { ExitCode } from '../exit-codes.ts';
import type { CommandContext } from '../table/command-context.ts';
import { openConfig } from './change-config.ts';
import type { ConfigFile, ConfiguredProfile } from '../../config/config-file.ts';
import { storedTokenFile } from '../../config/token-source.ts';
import type { RecordView } from '../output/record-view.ts';

/** Prints the profiles of the configuration file. */
export async function printProfiles(context: CommandContext): Promise<ExitCode> {
  const { folders, isTerminal, output } = context;
  const { config } = openConfig(context);
  const profiles = listedProfiles(config, folders.config);
  if (profiles.length === 0 && isTerminal) output.note(`No profiles in ${config.path}.`);
  return output.list(profiles, profileView);
}

/** A profile with the facts that are not its own. */
interface ListedProfile {
  readonly profile: ConfiguredProfile;
  readonly isDefault: boolean;
  /** File of a token that was typed into the console, where there is one. */
  readonly storedToken: string | undefined;
}

/** Returns the profiles of the file, in its order. */
function listedProfiles(
  { defaultProfile, profiles }: ConfigFile,
  configFolder: string,
): readonly ListedProfile[] {
  return [...profiles.values()].map((profile) => {
    const stored = storedTokenFile(configFolder, profile.baseUrl, profile.name);
    const hasStored = profile.token === undefined && existsSync(stored);
    return {
      profile,
      isDefault: profile.name === defaultProfile,
      storedToken: hasStored ? stored : undefined,
    };
  });
}

function tokenSource({ profile, storedToken }: ListedProfile): string | undefined {
  const { token } = profile;
  if (token !== undefined) return token.kind;
  return storedToken === undefined ? undefined : 'stored';
}

function tokenFile({ profile: { token }, storedToken }: ListedProfile): string | undefined {
  return token?.kind === 'file' ? token.path : storedToken;
}

const yes = (is: boolean): string | undefined => (is ? 'yes' : undefined);

const profileView: RecordView<ListedProfile> = {
  columns: [
    { title: 'NAME', value: ({ profile }) => profile.name },
    { title: 'URL', value: ({ profile }) => profile.baseUrl, isShrinkable: true },
    { title: 'TOKEN', value: tokenSource },
    { title: 'TOKEN FILE', value: tokenFile, isShrinkable: true },
    { title: 'WALLET', value: ({ profile }) => profile.wallet, isShrinkable: true },
    { title: 'READ-ONLY', value: ({ profile }) => yes(profile.readOnly) },
    { title: 'DEFAULT', value: ({ isDefault }) => yes(isDefault) },
  ],
  fields: [
    'name',
    'baseUrl',
    'default',
    'token',
    'tokenFile',
    'wallet',
    'readOnly',
    'colour',
    'restartDelay',
    'streamAuth',
  ],
  json: (listed) => {
    const { name, baseUrl, wallet, readOnly, colour, restartDelay, streamAuth } = listed.profile;
    const values = {
      name,
      baseUrl,
      default: listed.isDefault,
      token: tokenSource(listed),
      tokenFile: tokenFile(listed),
      wallet,
      readOnly,
      colour,
      restartDelay: typeof restartDelay === 'number' ? restartDelay / 1000 : restartDelay,
      streamAuth,
    };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  },
  id: ({ profile }) => profile.name,
};
