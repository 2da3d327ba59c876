import type { ExposedPort, ServiceDefinition } from './definition.ts';
import type { DocumentReader, Field } from './reader.ts';

const protocols = ['tcp', 'udp', 'http'] as const;

/** One entry of `services`, without what `deployment` says of it. */
export function readService(
  reader: DocumentReader,
  name: string,
  field: Field,
): Omit<ServiceDefinition, 'count'> | undefined {
  const keys = reader.entries(field, 'a map with image, command, args, env and expose');
  if (keys === undefined) return undefined;
  const image = keys.get('image');
  return {
    name,
    image: image === undefined ? undefined : reader.text(image, 'the name of an image'),
    command: readWords(reader, keys.get('command')),
    args: readWords(reader, keys.get('args')),
    env: readEnv(reader, keys.get('env')),
    expose: readExpose(reader, keys.get('expose')),
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

/** `NAME=value` words, or a map. A name alone is set to nothing. */
function readEnv(
  reader: DocumentReader,
  field: Field | undefined,
): Readonly<Record<string, string>> {
  const env = new Map<string, string>();
  if (field === undefined || reader.isEmpty(field)) return {};
  const set = (at: Field, name: string, value: string) => {
    if (name === '' || name.includes('=') || `${name}${value}`.includes('\0')) {
      reader.fail(at, 'NAME=value with a name, without NUL');
    } else {
      env.set(name, value);
    }
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

function readExpose(reader: DocumentReader, field: Field | undefined): readonly ExposedPort[] {
  if (field === undefined || reader.isEmpty(field)) return [];
  return (reader.items(field, 'a list of ports to expose') ?? []).flatMap((item) => {
    const keys = reader.entries(item, 'a map with port, as, proto and to');
    if (keys === undefined) return [];
    const portField = keys.get('port');
    if (portField === undefined) {
      reader.fail(item, 'the key port');
      return [];
    }
    const port = reader.integer(portField, 'a port from 1 to 65535', 1, 65_535);
    const asField = keys.get('as');
    const as =
      asField === undefined
        ? undefined
        : reader.integer(asField, 'a port from 1 to 65535', 1, 65_535);
    const proto = readProtocol(reader, keys.get('proto'));
    const to = readTargets(reader, keys.get('to'));
    return port === undefined ? [] : [{ port, as, proto, ...to }];
  });
}

function readProtocol(reader: DocumentReader, field: Field | undefined): ExposedPort['proto'] {
  if (field === undefined || reader.isEmpty(field)) return 'tcp';
  const expected = 'tcp, udp or http';
  const text = reader.text(field, expected)?.toLowerCase();
  const proto = protocols.find((known) => known === text);
  if (text !== undefined && proto === undefined) reader.fail(field, expected);
  return proto ?? 'tcp';
}

function readTargets(
  reader: DocumentReader,
  field: Field | undefined,
): Pick<ExposedPort, 'global' | 'services'> {
  const services: string[] = [];
  let global = false;
  if (field === undefined || reader.isEmpty(field)) return { global, services };
  for (const item of reader.items(field, 'a list with global: true or service: NAME') ?? []) {
    const keys = reader.entries(item, 'global: true or service: NAME');
    const globalField = keys?.get('global');
    if (globalField !== undefined) {
      global = (reader.boolean(globalField, 'true or false') ?? false) || global;
    }
    const service = keys?.get('service');
    const name = service === undefined ? undefined : reader.text(service, 'the name of a service');
    if (name !== undefined) services.push(name);
  }
  return { global, services };
}
