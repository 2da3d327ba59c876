import type { SdlField } from './field.ts';
import { nearName } from './near-name.ts';
import type { SdlReader } from './reader.ts';
import { shownText } from './shown-value.ts';

/** Keys that people keep for themselves, most of them to be merged elsewhere. */
const ownKey = /^x-/;

/**
 * Looks for keys that a map has to have, and for those that are mistyped. Other keys that are not
 * known are advised on: they have no effect.
 * @param name what a sentence calls the map; nothing for the whole text.
 */
export function checkKeys(
  reader: SdlReader,
  map: {
    readonly field: SdlField;
    readonly entries: ReadonlyMap<string, SdlField>;
    readonly name?: string;
  },
  keys: {
    readonly required: readonly string[];
    readonly known: readonly string[];
    /** Known keys whose slips are refused: without them the map means something else. */
    readonly decisive?: readonly string[];
  },
): void {
  const { field, entries, name } = map;
  const known = new Set([...keys.required, ...keys.known]);
  const absent = [...known].filter((key) => !entries.has(key));
  const meant = new Set<string>();
  for (const [key, at] of entries) {
    if (known.has(key) || ownKey.test(key)) continue;
    const near = reader.mayCompare() ? nearName(key, absent) : undefined;
    if (near === undefined) {
      reader.advise(() => {
        reader.failKey(at, unknown, () => `${shownText(key)} is no key here: it has no effect.`);
      });
      continue;
    }
    meant.add(near);
    const note = () => {
      reader.failKey(at, `the key ${near}`, () => `${key} is no key here. Did you mean ${near}?`);
    };
    if (keys.required.includes(near) || keys.decisive?.includes(near) === true) note();
    else reader.advise(note);
  }
  for (const key of keys.required) {
    if (entries.has(key) || meant.has(key)) continue;
    reader.failKey(field, `the key ${key}`, () =>
      name === undefined ? `${key} is missing.` : `${name} has no ${key}.`,
    );
  }
}

const unknown = 'a key that is known here';
