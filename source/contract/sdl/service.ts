/** Reads one service of an SDL. */
import type { ServiceDefinition, VolumeDefinition } from './definition.ts';
import { type Dependency, dependencyKeys, readDependencies } from './depends-on.ts';
import { checkTotalLength, isTooLong, readEnv } from './environment.ts';
import { readExpose } from './expose.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlNames } from './names.ts';
import type { SdlReader } from './reader.ts';
import { type PlacedStorage, type MountingService, readVolumes } from './volumes.ts';

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
