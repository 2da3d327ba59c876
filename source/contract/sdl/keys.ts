/** Checks the keys of a map: missing, mistyped and unknown ones. */
import type { SdlField } from './field.ts';
import { findNearName } from './near-name.ts';
import type { SdlReader } from './reader.ts';
import { formatPlainText } from './shown-text.ts';

/** Extension keys, mostly anchors to merge elsewhere. */
const extensionKey = /^x-/;

function missingSentence(key: string): string {
  return `The ${key === 'version' ? 'key' : 'section'} "${key}" is missing.`;
}

/**
 * Reports missing required keys and mistyped keys. Other unknown keys have no effect, so they are
 * warnings.
 * @param map `name` is the map's name in messages; undefined for the whole text.
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
    /** Known keys whose misspelling is an error, because the map means something else without them. */
    readonly decisive?: readonly string[];
    /** Known keys by the names that they have in the files of other tools. */
    readonly foreign?: Readonly<Record<string, string>>;
  },
): void {
  const { field, entries, name } = map;
  const known = new Set([...keys.required, ...keys.known]);
  const missing = [...known].filter((key) => !entries.has(key));
  const misspelled = new Set<string>();
  for (const [key, at] of entries) {
    if (known.has(key) || extensionKey.test(key)) continue;
    const meant = missing.find((one) => one === keys.foreign?.[key]);
    const near = meant ?? (reader.canCompare() ? findNearName(key, missing) : undefined);
    if (near === undefined) {
      reader.asWarnings(() => {
        const sentence = () => `Unknown key ${formatPlainText(key)}: it has no effect.`;
        reader.reportKey(at, 'a known key', sentence);
      });
      continue;
    }
    misspelled.add(near);
    const report = () => {
      const sentence = () => `Unknown key ${key}. Did you mean ${near}?`;
      reader.reportKey(at, `the key ${near}`, sentence);
    };
    if (keys.required.includes(near) || keys.decisive?.includes(near) === true) report();
    else reader.asWarnings(report);
  }
  for (const key of keys.required) {
    if (entries.has(key) || misspelled.has(key)) continue;
    reader.reportKey(field, `the key ${key}`, () =>
      name === undefined ? missingSentence(key) : `${name} has no ${key}.`,
    );
  }
}
