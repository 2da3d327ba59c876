/** Reads the top level of an SDL. */
import type { Atoms } from '../decimal.ts';
import type { PricedPlacement, ServiceDefinition } from './definition.ts';
import { reportCycles } from './depends-on.ts';
import { readEndpoints, reportUnusedEndpoints } from './endpoints.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import type { SdlNames } from './names.ts';
import { type PlacementTotal, readPlacements } from './placements.ts';
import type { SdlReader } from './reader.ts';
import { readService } from './service.ts';
import { quoteName } from './shown-text.ts';

/** The readable content of an SDL, which may have mistakes. */
export interface SdlDocument {
  /** The SDL's `name`, else the first service's name. */
  readonly name: string | undefined;
  readonly services: readonly ServiceDefinition[];
  /** Price of all instances for a block of 6 s; undefined if a price or a count is unreadable. */
  readonly price: Atoms | undefined;
  /** True when a deployed service has a price. */
  readonly isPriced: boolean;
  /** The placements with a readable price and count. */
  readonly placements: readonly PricedPlacement[];
}

const emptyDocument: SdlDocument = {
  name: undefined,
  services: [],
  price: 0n,
  isPriced: false,
  placements: [],
};

/** Top-level parts that a host may not support. */
const parts = ['include', 'reclamation'] as const;

/** Versions as text, because the number 2.10 would equal 2.1. */
const versions = new Set(['2', '2.0', '2.1', '2.2']);

/** Service names become folder names and parts of URLs. */
const serviceName = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/**
 * Reads an SDL (version 2.0 to 2.2): services, profiles with pricing, and the placements with their
 * counts. The reader collects every mistake with its position; unknown keys are warnings.
 */
export function readSdlDocument(reader: SdlReader): SdlDocument {
  const { root: field } = reader;
  const expected = 'a map with version, services, profiles and deployment';
  if (reader.isEmpty(field)) {
    reader.reportValue(field, expected, () => `The text is empty. It must be ${expected}.`);
    return emptyDocument;
  }
  const root = reader.entries(field, expected);
  if (root === undefined) return emptyDocument;
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
    const partField = reader.optional(root.get(part));
    if (partField !== undefined) reader.addPart(partField, part);
  }
  const servicesField = root.get('services');
  const services = servicesField && reader.entries(servicesField, 'a map of services by name');
  if (servicesField !== undefined && services?.size === 0) {
    reader.reportValue(servicesField, 'at least one service', () => 'services lists no service.');
  }
  const placements = readPlacements(reader, root, services);
  const endpoints = readEndpoints(reader, root.get('endpoints'));
  const definitions = readServices(
    reader,
    services ?? new Map<string, SdlField>(),
    endpoints,
    placements,
  );
  // An unreadable port may use an endpoint, so check only a text without errors.
  if (reader.hasNoErrors()) reportUnusedEndpoints(reader, endpoints);
  const nameField = reader.optional(root.get('name'));
  const name = nameField && reader.text(nameField, 'the name of the deployment');
  return {
    name: name ?? definitions[0]?.name,
    services: definitions,
    price: [...placements.values()].reduce(
      (sum: Atoms | undefined, { price }) =>
        sum === undefined || price === undefined ? undefined : sum + price,
      0n,
    ),
    isPriced: [...placements.values()].some((each) => each.isPriced),
    placements: [...placements.values()].flatMap(({ priced }) => priced),
  };
}

function readVersion(reader: SdlReader, root: ReadonlyMap<string, SdlField>) {
  const expected = 'version: "2.0", "2.1" or "2.2"';
  const field = root.get('version');
  if (field === undefined) return;
  const sentence = () => `version must be "2.0", "2.1" or "2.2", not ${reader.formatValue(field)}.`;
  const isText = !reader.isEmpty(field) && !reader.isMap(field) && !reader.isList(field);
  const version = isText ? reader.text(field, expected) : '';
  if (version !== undefined && !versions.has(version))
    reader.reportValue(field, expected, sentence);
}

function readServices(
  reader: SdlReader,
  services: ReadonlyMap<string, SdlField>,
  endpoints: SdlNames['endpoints'],
  placements: ReadonlyMap<string, PlacementTotal>,
): readonly ServiceDefinition[] {
  const countOf = (service: string) => placements.get(service)?.count;
  const names = { services: new Set(services.keys()), endpoints };
  const parsedServices = [...services].flatMap(([name, field]) => {
    if (!serviceName.test(name)) {
      const rule =
        'at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';
      reader.reportKey(
        field,
        `a service name of ${rule}`,
        () => `A service name must have ${rule}, unlike ${quoteName(name)}.`,
      );
    }
    const service = readService(reader, name, field, names, placements.get(name)?.storage ?? []);
    return service === undefined ? [] : [service];
  });
  reportCycles(
    reader,
    new Map(parsedServices.map(({ name, dependencies }) => [name, dependencies])),
  );
  // A service that is not deployed never runs, so drop the dependencies on it.
  return parsedServices.flatMap(({ name, dependencies, ...service }) => {
    const count = countOf(name);
    if (count === undefined) return [];
    const dependsOn = dependencies
      .filter((each) => countOf(each.service) !== undefined)
      .map((each) => each.service);
    return [Object.assign(service, { name, count, dependsOn })];
  });
}
