import type { ServiceDefinition } from './definition.ts';
import { readEnv } from './environment.ts';
import { readExpose, readServiceName } from './expose.ts';
import type { Field } from './field.ts';
import { checkKeys } from './keys.ts';
import type { DocumentReader } from './reader.ts';

const knownKeys = [
  'image',
  'command',
  'args',
  'env',
  'expose',
  'dependsOn',
  'params',
  'credentials',
];

/**
 * One entry of `services`, without what `deployment` says of it.
 * @param names of all services, for those that it refers to.
 */
export function readService(
  reader: DocumentReader,
  name: string,
  field: Field,
  names: ReadonlySet<string>,
): Omit<ServiceDefinition, 'count'> | undefined {
  const keys = reader.entries(field, 'a map with image, command, args, env and expose');
  if (keys === undefined) return undefined;
  checkKeys(reader, { field, entries: keys }, { required: [], known: knownKeys });
  reader.advise(() => {
    checkDependencies(reader, keys.get('dependsOn'), names);
  });
  const image = keys.get('image');
  return {
    name,
    image: image && reader.text(image, 'the name of an image'),
    command: readWords(reader, keys.get('command')),
    args: readWords(reader, keys.get('args')),
    env: readEnv(reader, keys.get('env')),
    expose: readExpose(reader, keys.get('expose'), names),
    position: reader.position(field),
  };
}

/** A list of words; none where the key is missing or empty. */
function readWords(reader: DocumentReader, field: Field | undefined): readonly string[] {
  if (field === undefined || reader.isEmpty(field)) return [];
  const expected = 'a list of words, like ["node", "server.js"]';
  return (reader.items(field, expected) ?? []).flatMap((item) => {
    const word = reader.text(item, 'a word');
    if (word?.includes('\0') === true) reader.fail(item, 'a word without NUL');
    return word === undefined ? [] : [word];
  });
}

/** A list of names, or of maps with `service`; nothing starts in an order, so none is needed. */
function checkDependencies(
  reader: DocumentReader,
  field: Field | undefined,
  names: ReadonlySet<string>,
): void {
  if (field === undefined || reader.isEmpty(field) || !reader.isList(field)) return;
  for (const item of reader.items(field, '') ?? []) {
    const service = reader.isMap(item) ? reader.entries(item, '')?.get('service') : item;
    if (service !== undefined) readServiceName(reader, service, names);
  }
}
