import type { Atoms } from '../decimal.ts';
import type { ServiceDefinition } from './definition.ts';
import { refuseCycles } from './depends-on.ts';
import { readEndpoints, refuseUnused } from './endpoints.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { Names } from './names.ts';
import { readPlacements } from './placements.ts';
import type { SdlReader } from './reader.ts';
import { readService } from './service.ts';
import { quoted } from './shown-value.ts';

/** What could be read of an SDL, with mistakes or without. */
export interface SdlDocument {
  /** The SDL's `name`, else the first service's name. */
  readonly name: string | undefined;
  readonly services: readonly ServiceDefinition[];
  /**
   * What all instances together cost a block of 6 s; undefined where a price or a count of
   * instances cannot be read.
   */
  readonly price: Atoms | undefined;
  /** False where no service that runs has a price. */
  readonly isPriced: boolean;
}

const nothing: SdlDocument = { name: undefined, services: [], price: 0n, isPriced: false };

/** Parts of the whole text that a host may not have. */
const parts = ['include', 'reclamation'] as const;

/** Spellings: 2.10 may mean another version than the number 2.1. */
const versions = new Set(['2', '2.0', '2.1', '2.2']);

/** Names become folders and part of URLs. */
const serviceName = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/**
 * Reads a service definition document (version 2.0 to 2.2): services, profiles with pricing,
 * and the deployment that says how often each service runs and at which price. The reader notes
 * every mistake with its place; keys that are not known here are advised on.
 */
export function readSdlDocument(reader: SdlReader): SdlDocument {
  const { root: field } = reader;
  const expected = 'a map with version, services, profiles and deployment';
  if (reader.isEmpty(field)) {
    reader.fail(field, expected, () => `The text is empty, not ${expected}.`);
    return nothing;
  }
  const root = reader.entries(field, expected);
  if (root === undefined) return nothing;
  readVersion(reader, root);
  checkKeys(
    reader,
    { field, entries: root },
    {
      required: ['version', 'services', 'deployment', 'profiles'],
      known: ['name', 'endpoints', ...parts],
    },
  );
  for (const part of parts) {
    const found = reader.present(root.get(part));
    if (found !== undefined) reader.notePart(found, part);
  }
  const servicesField = root.get('services');
  const services = servicesField && reader.entries(servicesField, 'a map of services by name');
  if (servicesField !== undefined && services?.size === 0) {
    reader.fail(servicesField, 'at least one service', () => 'services names no service.');
  }
  const placed = readPlacements(reader, root, services);
  const endpoints = readEndpoints(reader, root.get('endpoints'));
  const definitions = readServices(
    reader,
    services ?? new Map<string, SdlField>(),
    endpoints,
    (service) => placed.get(service)?.count,
  );
  // A port that can't be read may use one.
  if (reader.isSound()) refuseUnused(reader, endpoints);
  const nameField = reader.present(root.get('name'));
  const name = nameField && reader.text(nameField, 'the name of the deployment');
  return {
    name: name ?? definitions[0]?.name,
    services: definitions,
    price: [...placed.values()].reduce(
      (sum: Atoms | undefined, { price }) =>
        sum === undefined || price === undefined ? undefined : sum + price,
      0n,
    ),
    isPriced: [...placed.values()].some((each) => each.isPriced),
  };
}

function readVersion(reader: SdlReader, root: ReadonlyMap<string, SdlField>) {
  const expected = 'version: "2.0", "2.1" or "2.2"';
  const field = root.get('version');
  if (field === undefined) return;
  const sentence = () => `version must be "2.0", "2.1" or "2.2", not ${reader.shown(field)}.`;
  const isText = !reader.isEmpty(field) && !reader.isMap(field) && !reader.isList(field);
  const version = isText ? reader.text(field, expected) : '';
  if (version !== undefined && !versions.has(version)) reader.fail(field, expected, sentence);
}

function readServices(
  reader: SdlReader,
  services: ReadonlyMap<string, SdlField>,
  endpoints: Names['endpoints'],
  countOf: (service: string) => number | undefined,
): readonly ServiceDefinition[] {
  const names = { services: new Set(services.keys()), endpoints };
  const read = [...services].flatMap(([name, field]) => {
    if (!serviceName.test(name)) {
      const expected =
        'a service name of at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';
      reader.failKey(
        field,
        expected,
        () =>
          `A service name has at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends, not like ${quoted(name)}.`,
      );
    }
    const service = readService(reader, name, field, names);
    return service === undefined ? [] : [service];
  });
  refuseCycles(reader, new Map(read.map(({ name, dependencies }) => [name, dependencies])));
  // A service that is not deployed does not run: nothing can wait for it.
  return read.flatMap(({ name, dependencies, ...service }) => {
    const count = countOf(name);
    if (count === undefined) return [];
    const dependsOn = dependencies
      .filter((each) => countOf(each.service) !== undefined)
      .map((each) => each.service);
    return [Object.assign(service, { name, count, dependsOn })];
  });
}
