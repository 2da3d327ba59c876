import type { Field } from './field.ts';
import { nearName } from './near-name.ts';
import type { DocumentReader } from './reader.ts';

/**
 * Looks for keys that a map has to have, and for those that are mistyped. Keys that are not known
 * are left alone unless they are nearly one that is not there.
 * @param name what a sentence calls the map; nothing for the whole text.
 */
export function checkKeys(
  reader: DocumentReader,
  map: {
    readonly field: Field;
    readonly entries: ReadonlyMap<string, Field>;
    readonly name?: string;
  },
  keys: { readonly required: readonly string[]; readonly known: readonly string[] },
): void {
  const { field, entries, name } = map;
  const absent = [...keys.required, ...keys.known].filter((key) => !entries.has(key));
  const meant = new Set<string>();
  for (const [key, at] of entries) {
    if (absent.length === 0) break;
    if (keys.required.includes(key) || keys.known.includes(key)) continue;
    const near = nearName(key, absent);
    if (near === undefined) continue;
    meant.add(near);
    const note = () => {
      reader.failKey(at, `the key ${near}`, () => `${key} is no key here. Did you mean ${near}?`);
    };
    if (keys.required.includes(near)) note();
    else reader.advise(note);
  }
  for (const key of keys.required) {
    if (entries.has(key) || meant.has(key)) continue;
    reader.failKey(field, `the key ${key}`, () =>
      name === undefined ? `${key} is missing.` : `${name} has no ${key}.`,
    );
  }
}
