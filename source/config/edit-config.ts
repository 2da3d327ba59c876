/** Edits the text of the configuration file; its comments and other values stay. Pure. */
import { type Document, isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { type Configured, configProblem } from './environment.ts';

/** The keys of a new profile and their values, in the order of the file. */
export type ProfileSettings = Readonly<Record<string, string | boolean>>;

/** Returns the text with one more profile, which may also become the default. */
export function addProfile(
  text: string,
  name: string,
  settings: ProfileSettings,
  isDefault: boolean,
): Configured<string> {
  return edited(text, (document) => {
    const value = document.createNode(settings);
    const profiles = document.get('profiles', true);
    // An empty `profiles:` is a scalar without a value.
    if (profiles === undefined || (isScalar(profiles) && profiles.value === null)) {
      document.set('profiles', document.createNode({ [name]: value }));
    } else mapOf(document).add(document.createPair(name, value));
    if (isDefault) setDefault(document, name);
  });
}

/** Returns the text with another default profile. */
export function setDefaultProfile(text: string, name: string): Configured<string> {
  return edited(text, (document) => setDefault(document, name));
}

/** Returns the text without a profile; a default that names it is removed as well. */
export function removeProfile(text: string, name: string): Configured<string> {
  return edited(text, (document) => {
    mapOf(document).delete(name);
    if (document.get('default') === name) document.delete('default');
  });
}

function setDefault(document: Document, name: string): void {
  const current = document.get('default', true);
  // Only the value changes, so that a comment behind it stays.
  if (isScalar(current)) current.value = name;
  else document.set('default', name);
}

/** Returns the map of the profiles. Throws where it is an alias or no map. */
function mapOf(document: Document): YAMLMap {
  const profiles = document.get('profiles', true);
  if (isMap(profiles)) return profiles;
  throw new TypeError('profiles is no map');
}

/** Edits a valid text; the problem is a form that can't be edited, such as an alias. */
function edited(text: string, edit: (document: Document) => void): Configured<string> {
  const document = parseDocument(text) as unknown as Document;
  try {
    edit(document);
    const indent = /^( {2,8})\S/m.exec(text)?.[1]?.length ?? 2;
    const written = document.toString({ indent, lineWidth: 0 });
    const value = text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written;
    return { ok: true, value: text.startsWith('\uFEFF') ? `\uFEFF${value}` : value };
  } catch {
    return configProblem('The configuration file has a form that only you can edit.', byHand);
  }
}

const byHand = 'Edit it by hand: its profiles are an alias, or an alias needs the profile.';
