import type { SdlField } from './field.ts';
import type { SdlReader } from './reader.ts';
import { formatPlainText } from './shown-value.ts';

/** Reads environment variables: a list of `NAME=value`, or a map. A name alone has an empty value. */
export function readEnv(
  reader: SdlReader,
  variables: SdlField | undefined,
): Readonly<Record<string, string>> {
  const env = new Map<string, string>();
  const field = reader.optional(variables);
  if (field === undefined) return {};
  const set = (at: SdlField, name: string, value: string) => {
    if (name === '' || name.includes('=') || `${name}${value}`.includes('\0')) {
      reader.reportValue(at, 'NAME=value with a name, without NUL');
      return;
    }
    if (/\s/.test(name)) warnAboutSpaces(reader, at, name);
    env.set(name, value);
  };
  if (reader.isMap(field)) {
    for (const [name, at] of reader.entries(field, '') ?? []) {
      const value = reader.isEmpty(at) ? '' : reader.text(at, 'a text value');
      if (value !== undefined) set(at, name, value);
    }
    return Object.fromEntries(env);
  }
  for (const at of reader.items(field, 'a list of NAME=value, or a map') ?? []) {
    const word = reader.text(at, 'NAME=value');
    if (word === undefined) continue;
    const equals = word.indexOf('=');
    if (equals === -1) set(at, word, '');
    else set(at, word.slice(0, equals), word.slice(equals + 1));
  }
  return Object.fromEntries(env);
}

/** Warns about a name with spaces, which systems accept but programs hardly ever read. */
function warnAboutSpaces(reader: SdlReader, at: SdlField, name: string): void {
  reader.asWarnings(() => {
    reader.reportValue(
      at,
      'NAME=value with a name without spaces',
      () => `A variable name should not contain spaces: ${formatPlainText(name)}.`,
    );
  });
}
