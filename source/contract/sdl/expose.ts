import type { ExposedPort } from './definition.ts';
import type { Field } from './field.ts';
import { checkKeys } from './keys.ts';
import { didYouMean } from './near-name.ts';
import type { DocumentReader } from './reader.ts';
import { quoted } from './shown-value.ts';

const protocols = ['tcp', 'udp', 'http'] as const;

const optionalKeys = ['as', 'proto', 'to', 'accept', 'http_options', 'ip'];

/** @param names of all services, for those that a port is exposed to. */
export function readExpose(
  reader: DocumentReader,
  field: Field | undefined,
  names: ReadonlySet<string>,
): readonly ExposedPort[] {
  if (field === undefined || reader.isEmpty(field)) return [];
  return (reader.items(field, 'a list of ports to expose') ?? []).flatMap((item) => {
    const keys = reader.entries(item, 'a map with port, as, proto and to');
    if (keys === undefined) return [];
    const map = { field: item, entries: keys, name: capitalised(item.name) };
    checkKeys(reader, map, { required: ['port'], known: optionalKeys });
    const port = readPort(reader, keys.get('port'));
    const as = readPort(reader, keys.get('as'));
    const proto = readProtocol(reader, keys.get('proto'));
    const to = readTargets(reader, keys.get('to'), names);
    return port === undefined ? [] : [{ port, as, proto, ...to }];
  });
}

function readPort(reader: DocumentReader, field: Field | undefined): number | undefined {
  return field && reader.integer(field, '1 to 65535', 1, 65_535);
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
  names: ReadonlySet<string>,
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
    const name = service && readServiceName(reader, service, names);
    if (name !== undefined) services.push(name);
  }
  return { global, services };
}

/** The name of another service of the document. */
export function readServiceName(
  reader: DocumentReader,
  field: Field,
  names: ReadonlySet<string>,
): string | undefined {
  const name = reader.text(field, 'the name of a service');
  if (name === undefined || names.has(name)) return name;
  return reader.fail(
    field,
    'a service that services names',
    () => `service ${quoted(name)} is not in services.${didYouMean(name, names)}`,
  );
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
