/** Edits the text of the configuration file; its comments and other values stay. Pure. */
import { readYaml } from '../contract/sdl/yaml.ts';
import { removeYamlValue, setYamlValue } from './edit-yaml.ts';
import { type Configured, configProblem } from './environment.ts';
import { textAt } from './yaml-values.ts';

/** The keys of a new profile and their values, in the order of the file. */
export type ProfileSettings = Readonly<Record<string, string | boolean>>;

/** Returns the text with one more profile, which may also become the default. */
export function addProfile(
  text: string,
  name: string,
  settings: ProfileSettings,
  isDefault: boolean,
): Configured<string> {
  const added = setYamlValue(text, ['profiles', name], settings);
  if (added === undefined) return byHand(`Add ${name} below profiles by hand`);
  return isDefault ? setDefaultProfile(added, name) : { ok: true, value: added };
}

/** Returns the text with another default profile. */
export function setDefaultProfile(text: string, name: string): Configured<string> {
  const value = setYamlValue(text, ['default'], name);
  return value === undefined ? byHand(`Set default: ${name} by hand`) : { ok: true, value };
}

/** Returns the text without a profile; a default that names it is removed as well. */
export function removeProfile(text: string, name: string): Configured<string> {
  const isDefault = textAt(readYaml(text), ['default']) === name;
  const others = isDefault ? removeYamlValue(text, ['default']) : text;
  const value = others === undefined ? undefined : removeYamlValue(others, ['profiles', name]);
  return value === undefined ? byHand(`Remove ${name} by hand`) : { ok: true, value };
}

function byHand(advice: string): { ok: false; problem: { sentence: string; next: string } } {
  return configProblem(
    'This edit would change other values of the configuration file. Nothing was written.',
    `${advice}: an alias or an unusual form depends on it.`,
  );
}
