/** Finds the profile that a command names. Pure. */
import { type ConfigFile, type ConfiguredProfile, localProfile } from '../../config/config-file.ts';
import { formatSuggestion } from '../../contract/sdl/near-name.ts';
import { CommandFailure, notFoundProblem, usageProblem } from '../command-problem.ts';

/**
 * Finds a profile by its whole name; the host on this machine is none. Throws a `CommandFailure`
 * where the file has no such profile.
 */
export function findProfile(name: string, { path, profiles }: ConfigFile): ConfiguredProfile {
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  if (name === localProfile) {
    throw new CommandFailure(
      usageProblem(
        'local is the host on this machine, not a profile of the file.',
        'hostdeck doctor --profile local checks it.',
      ),
    );
  }
  const names = [...profiles.keys()];
  throw new CommandFailure(
    notFoundProblem(
      `There is no profile ${name} in ${path}.${formatSuggestion(name, names)}`,
      names.length === 0
        ? 'hostdeck profiles add NAME --url URL adds one.'
        : `Profiles: ${names.join(', ')}.`,
    ),
  );
}
