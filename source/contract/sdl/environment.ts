import type { SdlField } from './field.ts';
import type { SdlReader } from './reader.ts';
import { shownText } from './shown-value.ts';

/** `NAME=value` words, or a map. A name alone is set to nothing. */
export function readEnv(
  reader: SdlReader,
  variables: SdlField | undefined,
): Readonly<Record<string, string>> {
  const env = new Map<string, string>();
  const field = reader.present(variables);
  if (field === undefined) return {};
  const set = (at: SdlField, name: string, value: string) => {
    if (name === '' || name.includes('=') || `${name}${value}`.includes('\0')) {
      reader.fail(at, 'NAME=value with a name, without NUL');
      return;
    }
    if (/\s/.test(name)) adviseOnBlank(reader, at, name);
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

/** A system takes a name with a blank, but hardly any program asks for one. */
function adviseOnBlank(reader: SdlReader, at: SdlField, name: string): void {
  reader.advise(() => {
    reader.fail(
      at,
      'NAME=value with a name without blanks',
      () => `The name of a variable has no blanks, not like ${shownText(name)}.`,
    );
  });
}
