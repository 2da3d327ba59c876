/** Reads one service of an SDL. */
import type { ServiceDefinition, VolumeDefinition } from './definition.ts';
import { type Dependency, dependencyKeys, readDependencies } from './depends-on.ts';
import { readExpose } from './expose.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlNames } from './names.ts';
import type { SdlReader } from './reader.ts';
import { type PlacedStorage, type MountingService, readVolumes } from './volumes.ts';
import { formatPlainText } from './shown-text.ts';

const knownKeys = [
  'image',
  'command',
  'args',
  'env',
  'expose',
  ...dependencyKeys,
  'params',
  'credentials',
];

/** Keys of Compose files. */
const foreignKeys = {
  environment: 'env',
  ports: 'expose',
  entrypoint: 'command',
  volumes: 'params',
  depends_on: 'dependsOn',
};

/**
 * Matches the characters of an image reference without empty, `.` and `..` segments, because it
 * becomes part of URLs. Container engines check the rest of the grammar.
 */
const imageName = /^(?!.*\/\.{0,2}(?:\/|$))(?!\.{0,2}(?:\/|$))[\w.:/@+-]+$/;

/** A service before its count and its deployed dependencies are known. */
export interface ParsedService extends Omit<ServiceDefinition, 'count' | 'dependsOn'> {
  readonly dependencies: readonly Dependency[];
}

/**
 * Reads an entry of `services`.
 *
 * @param storage the storage of its compute profiles.
 */
export function readService(
  reader: SdlReader,
  name: string,
  field: SdlField,
  names: SdlNames,
  storage: PlacedStorage,
): ParsedService | undefined {
  const keys = reader.entries(field, 'a map with image, command, args, env and expose');
  if (keys === undefined) return undefined;
  checkKeys(
    reader,
    { field, entries: keys },
    { required: [], known: knownKeys, decisive: ['image'], foreign: foreignKeys },
  );
  const image = keys.get('image');
  const hasImage = image !== undefined && !reader.isEmpty(image);
  const volumes = readParams(reader, keys.get('params'), { name, hasImage, storage });
  checkCredentials(reader, keys.get('credentials'));
  const command = readWords(reader, keys.get('command'));
  const args = readWords(reader, keys.get('args'));
  const env = readEnv(reader, keys.get('env'));
  checkTotalLength(reader, field, [...command, ...args], env);
  return {
    name,
    image: readImage(reader, image),
    command,
    args,
    env,
    expose: readExpose(reader, keys.get('expose'), names),
    dependencies: readDependencies(reader, keys, names.services),
    ...(volumes.length === 0 ? {} : { volumes }),
    position: reader.position(field),
    ...(image === undefined ? {} : { imagePosition: reader.position(image) }),
  };
}

function readImage(reader: SdlReader, field: SdlField | undefined): string | undefined {
  const expected = 'the name of an image';
  const image = field && reader.text(field, expected);
  if (field === undefined || image === undefined) return undefined;
  const name = image.trim();
  return imageName.test(name) ? name : reader.reportValue(field, expected);
}

/** Reads a list of words; empty if the key is missing or has no value. */
function readWords(reader: SdlReader, words: SdlField | undefined): readonly string[] {
  const field = reader.optional(words);
  if (field === undefined) return [];
  const expected = 'a list of words, like ["node", "server.js"]';
  return (reader.items(field, expected) ?? []).flatMap((item) => {
    const word = reader.text(item, 'a word');
    if (word !== undefined && isTooLong(reader, item, word, item.name)) return [];
    if (word?.includes('\0') === true) reader.reportValue(item, 'a word without NUL');
    return word === undefined ? [] : [word];
  });
}

/** Reads the volumes in `params`, and checks the rest of it, whose mistakes are warnings. */
function readParams(
  reader: SdlReader,
  params: SdlField | undefined,
  service: MountingService,
): readonly VolumeDefinition[] {
  const field = reader.optional(params);
  if (field === undefined) return [];
  let entries: ReadonlyMap<string, SdlField> | undefined;
  reader.asWarnings(() => {
    entries = reader.entries(field, 'a map with storage');
    if (entries === undefined) return;
    const known = ['storage', 'permissions', 'tee'];
    checkKeys(reader, { field, entries }, { required: [], known });
    for (const part of ['permissions', 'tee'] as const) {
      const partField = reader.optional(entries.get(part));
      if (partField !== undefined) reader.addPart(partField, `params.${part}`);
    }
  });
  return readVolumes(reader, entries?.get('storage'), service);
}

/** Checks `credentials` for the image registry; mistakes are warnings. */
function checkCredentials(reader: SdlReader, credentials: SdlField | undefined): void {
  const field = reader.optional(credentials);
  if (field === undefined) return;
  reader.addPart(field, 'credentials');
  reader.asWarnings(() => {
    const entries = reader.entries(field, 'a map with host, username and password');
    if (entries === undefined) return;
    const required = ['host', 'username', 'password'];
    checkKeys(reader, { field, entries, name: 'credentials' }, { required, known: ['email'] });
    for (const key of required) {
      const value = entries.get(key);
      if (value !== undefined) reader.text(value, 'text');
    }
  });
}

/** Reads environment variables: a list of `NAME=value`, or a map. A name alone has an empty value. */
function readEnv(
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
function isTooLong(reader: SdlReader, at: SdlField, text: string, name: string): boolean {
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
function checkTotalLength(
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
