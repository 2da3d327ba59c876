/** Finds the profile that a command names. Pure. */
import { type ConfigFile, type ConfiguredProfile, localProfile } from '../../config/config-file.ts';
import { formatSuggestion } from '../../contract/sdl/near-name.ts';
import { type CommandProblem, notFoundProblem, usageProblem } from '../command-problem.ts';

export type FoundProfile =
  | { readonly ok: true; readonly profile: ConfiguredProfile }
  | { readonly ok: false; readonly problem: CommandProblem };

/** Finds a profile by its whole name; the host on this machine is none. */
export function findProfile(name: string, { path, profiles }: ConfigFile): FoundProfile {
  const profile = profiles.get(name);
  if (profile !== undefined) return { ok: true, profile };
  if (name === localProfile) {
    return {
      ok: false,
      problem: usageProblem(
        'local is the host on this machine, not a profile of the file.',
        'hostdeck doctor --profile local checks it.',
      ),
    };
  }
  const names = [...profiles.keys()];
  const problem = notFoundProblem(
    `There is no profile ${name} in ${path}.${formatSuggestion(name, names)}`,
    names.length === 0
      ? 'hostdeck profiles add NAME --url URL adds one.'
      : `Profiles: ${names.join(', ')}.`,
  );
  return { ok: false, problem };
}
