/** Reads the ports that a service exposes. */
import type { ExposedPort } from './definition.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlNames } from './names.ts';
import { formatSuggestion } from './near-name.ts';
import type { SdlReader } from './reader.ts';
import { quoteName } from './shown-text.ts';

const protocols = ['tcp', 'udp', 'http'] as const;

const optionalKeys = ['as', 'proto', 'to', 'accept', 'http_options', 'ip'];

/**
 * Reads the exposed ports of a service.
 * @param names services and endpoints that a port may refer to.
 */
export function readExpose(
  reader: SdlReader,
  field: SdlField | undefined,
  names: SdlNames,
): readonly ExposedPort[] {
  const list = reader.optional(field);
  if (list === undefined) return [];
  return (reader.items(list, 'a list of ports to expose') ?? []).flatMap((item) => {
    const keys = reader.entries(item, 'a map with port, as, proto and to');
    if (keys === undefined) return [];
    const map = { field: item, entries: keys, name: capitalise(item.name) };
    checkKeys(reader, map, { required: ['port'], known: optionalKeys });
    const portField = keys.get('port');
    const port = readPort(reader, portField);
    const as = readPort(reader, reader.optional(keys.get('as')));
    const proto = readProtocol(reader, reader.optional(keys.get('proto')));
    const to = readTargets(reader, keys.get('to'), names);
    checkAccepted(reader, keys.get('accept'));
    checkHttpOptions(reader, keys.get('http_options'));
    if (port === undefined || portField === undefined) return [];
    return [{ port, as, proto, ...to, position: reader.position(portField) }];
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
  if (text !== undefined && proto === undefined) reader.reportValue(field, expected);
  return proto ?? 'tcp';
}

/** Checks the host names that a port accepts; mistakes are warnings. */
function checkAccepted(reader: SdlReader, accept: SdlField | undefined): void {
  const field = reader.optional(accept);
  if (field === undefined) return;
  reader.asWarnings(() => {
    for (const item of reader.items(field, 'a list of host names') ?? []) {
      reader.text(item, 'the name of a host');
    }
  });
}

function readTargets(
  reader: SdlReader,
  to: SdlField | undefined,
  names: SdlNames,
): Pick<ExposedPort, 'global' | 'services'> {
  const services: string[] = [];
  let global = false;
  const field = reader.optional(to);
  if (field === undefined) return { global, services };
  for (const item of reader.items(field, 'a list with global: true or service: NAME') ?? []) {
    const entries = reader.entries(item, 'global: true or service: NAME');
    if (entries === undefined) continue;
    const map = { field: item, entries };
    checkKeys(reader, map, { required: [], known: ['global', 'service', 'ip', 'http_options'] });
    checkHttpOptions(reader, entries.get('http_options'));
    const globalField = reader.optional(entries.get('global'));
    const isGlobal = globalField && reader.boolean(globalField, 'true or false');
    global ||= isGlobal === true;
    const service = reader.optional(entries.get('service'));
    const name = service && reader.text(service, 'the name of a service');
    if (name !== undefined && names.services.has(name)) services.push(name);
    else if (name !== undefined) warnAboutUnknownService(reader, service, name, names.services);
    checkIp(reader, entries.get('ip'), {
      isGlobal: isGlobal === true,
      endpoints: names.endpoints,
    });
  }
  return { global, services };
}

/** Warns about a port that is exposed to an unknown service, which has no effect. */
function warnAboutUnknownService(
  reader: SdlReader,
  field: SdlField | undefined,
  name: string,
  services: ReadonlySet<string>,
): void {
  if (field === undefined) return;
  reader.asWarnings(() => {
    const sentence = () =>
      `Service ${quoteName(name)} is not in services, so this has no effect.${formatSuggestion(name, services)}`;
    reader.reportValue(field, 'a service listed in services', sentence);
  });
}

function checkIp(
  reader: SdlReader,
  ip: SdlField | undefined,
  to: { readonly isGlobal: boolean; readonly endpoints: SdlNames['endpoints'] },
): void {
  const field = reader.optional(ip);
  if (field === undefined) return;
  reader.addPart(field, 'ip');
  const name = reader.text(field, 'the name of an endpoint');
  if (name === undefined) return;
  const endpoint = to.endpoints?.get(name);
  if (endpoint !== undefined) endpoint.isUsed = true;
  if (to.endpoints !== undefined && endpoint === undefined) {
    const near = formatSuggestion(name, to.endpoints.keys());
    const sentence = () => `Endpoint ${quoteName(name)} is not in endpoints.${near}`;
    reader.reportValue(field, 'an endpoint listed in endpoints', sentence);
  } else if (!to.isGlobal) {
    reader.reportKey(field, 'global: true next to ip', () => 'ip needs global: true next to it.');
  }
}

function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Largest value of each numeric option, in bytes, ms or attempts. */
const maxValues = {
  max_body_size: 104_857_600,
  proxy_buffer_size: 1_048_576,
  read_timeout: 60_000,
  send_timeout: 60_000,
  next_tries: 4_294_967_295,
  next_timeout: 4_294_967_295,
} as const;

const cases = ['error', 'timeout', '403', '404', '429', '500', '502', '503', '504', 'off'];

/** Checks the options of the proxy in front of a port; mistakes are warnings. */
function checkHttpOptions(reader: SdlReader, httpOptions: SdlField | undefined): void {
  const field = reader.optional(httpOptions);
  if (field === undefined) return;
  reader.asWarnings(() => {
    const entries = reader.entries(field, 'a map of options');
    if (entries === undefined) return;
    const known = [...Object.keys(maxValues), 'next_cases'];
    checkKeys(reader, { field, entries }, { required: [], known });
    for (const [key, max] of Object.entries(maxValues)) {
      const option = reader.optional(entries.get(key));
      if (option !== undefined) reader.integer(option, `a whole number from 0 to ${max}`, 0, max);
    }
    const list = reader.optional(entries.get('next_cases'));
    if (list === undefined) return;
    const expected = `one of ${cases.join(', ')}`;
    const items = reader.items(list, 'a list of cases') ?? [];
    for (const item of items) {
      const text = reader.text(item, expected);
      if (text !== undefined && !cases.includes(text)) reader.reportValue(item, expected);
      else if (text === 'off' && items.length > 1) reader.reportValue(item, 'the only case');
    }
  });
}
