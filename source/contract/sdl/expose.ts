import type { ExposedPort } from './definition.ts';
import type { SdlField } from './field.ts';
import { checkHttpOptions } from './http-options.ts';
import { checkKeys } from './keys.ts';
import type { Names } from './names.ts';
import { didYouMean } from './near-name.ts';
import type { SdlReader } from './reader.ts';
import { quoted } from './shown-value.ts';

const protocols = ['tcp', 'udp', 'http'] as const;

const optionalKeys = ['as', 'proto', 'to', 'accept', 'http_options', 'ip'];

/** @param names what a port may be exposed to. */
export function readExpose(
  reader: SdlReader,
  field: SdlField | undefined,
  names: Names,
): readonly ExposedPort[] {
  const list = reader.present(field);
  if (list === undefined) return [];
  return (reader.items(list, 'a list of ports to expose') ?? []).flatMap((item) => {
    const keys = reader.entries(item, 'a map with port, as, proto and to');
    if (keys === undefined) return [];
    const map = { field: item, entries: keys, name: capitalised(item.name) };
    checkKeys(reader, map, { required: ['port'], known: optionalKeys });
    const port = readPort(reader, keys.get('port'));
    const as = readPort(reader, reader.present(keys.get('as')));
    const proto = readProtocol(reader, reader.present(keys.get('proto')));
    const to = readTargets(reader, keys.get('to'), names);
    checkAccepted(reader, keys.get('accept'));
    checkHttpOptions(reader, keys.get('http_options'));
    return port === undefined ? [] : [{ port, as, proto, ...to }];
  });
}

function readPort(reader: SdlReader, field: SdlField | undefined): number | undefined {
  return field && reader.integer(field, '1 to 65535', 1, 65_535);
}

function readProtocol(reader: SdlReader, field: SdlField | undefined): ExposedPort['proto'] {
  if (field === undefined) return 'tcp';
  const expected = 'tcp, udp or http';
  const text = reader.text(field, expected)?.toLowerCase();
  const proto = protocols.find((known) => known === text);
  if (text !== undefined && proto === undefined) reader.fail(field, expected);
  return proto ?? 'tcp';
}

/** Advises on the names of hosts that a port answers to. */
function checkAccepted(reader: SdlReader, accept: SdlField | undefined): void {
  const field = reader.present(accept);
  if (field === undefined) return;
  reader.advise(() => {
    for (const item of reader.items(field, 'a list of host names') ?? []) {
      reader.text(item, 'the name of a host');
    }
  });
}

function readTargets(
  reader: SdlReader,
  to: SdlField | undefined,
  names: Names,
): Pick<ExposedPort, 'global' | 'services'> {
  const services: string[] = [];
  let global = false;
  const field = reader.present(to);
  if (field === undefined) return { global, services };
  for (const item of reader.items(field, 'a list with global: true or service: NAME') ?? []) {
    const entries = reader.entries(item, 'global: true or service: NAME');
    if (entries === undefined) continue;
    const map = { field: item, entries };
    checkKeys(reader, map, { required: [], known: ['global', 'service', 'ip', 'http_options'] });
    checkHttpOptions(reader, entries.get('http_options'));
    const globalField = reader.present(entries.get('global'));
    const isGlobal = globalField && reader.boolean(globalField, 'true or false');
    global ||= isGlobal === true;
    const service = reader.present(entries.get('service'));
    const name = service && reader.text(service, 'the name of a service');
    if (name !== undefined && names.services.has(name)) services.push(name);
    else if (name !== undefined) adviseOnStranger(reader, service, name, names.services);
    checkIp(reader, entries.get('ip'), {
      isGlobal: isGlobal === true,
      endpoints: names.endpoints,
    });
  }
  return { global, services };
}

/** A port that is open to a service that is not there is open to nobody: it runs all the same. */
function adviseOnStranger(
  reader: SdlReader,
  field: SdlField | undefined,
  name: string,
  services: ReadonlySet<string>,
): void {
  if (field === undefined) return;
  reader.advise(() => {
    const sentence = () =>
      `service ${quoted(name)} is not in services: it has no effect.${didYouMean(name, services)}`;
    reader.fail(field, 'a service that services names', sentence);
  });
}

function checkIp(
  reader: SdlReader,
  ip: SdlField | undefined,
  to: { readonly isGlobal: boolean; readonly endpoints: Names['endpoints'] },
): void {
  const field = reader.present(ip);
  if (field === undefined) return;
  reader.notePart(field, 'ip');
  const name = reader.text(field, 'the name of an endpoint');
  if (name === undefined) return;
  const endpoint = to.endpoints?.get(name);
  if (endpoint !== undefined) endpoint.isUsed = true;
  if (to.endpoints !== undefined && endpoint === undefined) {
    const near = didYouMean(name, to.endpoints.keys());
    const sentence = () => `endpoint ${quoted(name)} is not in endpoints.${near}`;
    reader.fail(field, 'an endpoint that endpoints names', sentence);
  } else if (!to.isGlobal) {
    reader.failKey(field, 'global: true beside it', () => 'An ip needs global: true beside it.');
  }
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
