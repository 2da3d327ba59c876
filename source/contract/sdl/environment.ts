import type { SdlField } from './field.ts';
import type { SdlReader } from './reader.ts';
import { formatPlainText } from './shown-text.ts';

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
    if (isTooLong(reader, at, `${name}=${value}`, name)) return;
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

/**
 * Bytes of the longest word or variable with which Linux starts a process (MAX_ARG_STRLEN), without the
 * null at its end.
 */
const mostBytes = 131_071;

/** Bytes of all words and variables together: a quarter of the usual stack (execve(2), ARG_MAX). */
const mostTotalBytes = 2 ** 21;

/** Bytes that each word and variable takes besides its text: the null at its end, and a pointer. */
const overhead = 9;

/** Reports a word or a variable with which no process starts; returns whether it is one. */
export function isTooLong(reader: SdlReader, at: SdlField, text: string, name: string): boolean {
  const bytes = Buffer.byteLength(text);
  if (bytes <= mostBytes) return false;
  reader.reportValue(
    at,
    `at most ${mostBytes} bytes`,
    () =>
      `${formatPlainText(name)} has ${bytes} bytes; no process starts with more than ${mostBytes}. Put it into a file.`,
  );
  return true;
}

/** Reports the words and variables of a service with all of which no process starts. */
export function checkTotalLength(
  reader: SdlReader,
  at: SdlField,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): void {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const bytes = [...words, ...variables].reduce(
    (sum, text) => sum + Buffer.byteLength(text) + overhead,
    0,
  );
  if (bytes <= mostTotalBytes) return;
  reader.reportKey(
    at,
    `at most ${mostTotalBytes} bytes in command, args and env`,
    () =>
      `command, args and env have ${bytes} bytes together; no process starts with more than ${mostTotalBytes}.`,
  );
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
