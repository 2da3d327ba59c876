/** Writes records as logfmt: `key=value` pairs between spaces. Pure. */

/** Text that needs no quotes: printable, without blanks, quotes, backslashes and `=`. */
const bare = /^[^\s"=\\\p{C}]+$/u;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns a record as a line without its end, with its pairs in order. A pair without a value is left
 * out; quoted values are escaped like strings of JSON.
 */
export function formatLogfmt(pairs: readonly (readonly [string, string | undefined])[]): string {
  return pairs
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${logfmtValue(value)}`]))
    .join(' ');
}

function logfmtValue(value: string): string {
  if (bare.test(value)) return value;
  const escaped = value.replaceAll(/["\\]|[\p{Cc}\u2028\u2029]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return named[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}
