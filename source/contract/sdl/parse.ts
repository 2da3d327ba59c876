import { type Atoms, parseDecimal } from '../decimal.ts';
import type { Detail } from '../detail.ts';
import type { Definition, ServiceDefinition } from './definition.ts';
import { type DocumentReader, DocumentReader as Reader, type Field } from './reader.ts';
import { readService } from './service.ts';

export type ParsedSdl =
  | { readonly ok: true; readonly definition: Definition }
  | { readonly ok: false; readonly problems: readonly Detail[] };

const versions = new Set(['2.0', '2.1']);

/** Names become folders and part of URLs. */
const serviceName = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

const microsPerUnit = 1_000_000n;

interface Placed {
  readonly count: number;
  readonly price: Atoms;
}

/**
 * Reads a service definition document (version "2.0" or "2.1"): services, profiles with pricing,
 * and the deployment that says how often each service runs and at which price. Every mistake is
 * reported with its place; keys that are not known here are left alone.
 *
 * A top-level `name` names the deployment; the first service's name does where there is none.
 */
export function parseSdl(text: string): ParsedSdl {
  const reader = new Reader(text);
  const definition = reader.problems.length === 0 ? readDocument(reader) : undefined;
  if (definition !== undefined && reader.problems.length === 0) return { ok: true, definition };
  const problems = reader.problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
  return { ok: false, problems };
}

function readDocument(reader: DocumentReader): Definition | undefined {
  const root = reader.entries(reader.root, 'a map with version, services, profiles and deployment');
  if (root === undefined) return undefined;
  readVersion(reader, root);
  const servicesField = root.get('services');
  if (servicesField === undefined) return reader.fail(reader.root, 'the key services');
  const services = reader.entries(servicesField, 'a map of services by name');
  if (services === undefined) return undefined;
  if (services.size === 0) return reader.fail(servicesField, 'at least one service');
  const placed = readPlacements(reader, root, services);
  const definitions: ServiceDefinition[] = [];
  for (const [name, field] of services) {
    if (!serviceName.test(name)) {
      reader.fail(field, 'a service name of at most 63 letters, digits, "-", "_" and "."');
    }
    const service = readService(reader, name, field);
    if (service !== undefined) {
      definitions.push({ ...service, count: placed.get(name)?.count ?? 0 });
    }
  }
  const nameField = root.get('name');
  const name =
    nameField === undefined ? undefined : reader.text(nameField, 'the name of the deployment');
  const price = [...placed.values()].reduce((sum, each) => sum + each.price, 0n);
  return { name: name ?? definitions[0]?.name ?? '', services: definitions, price };
}

function readVersion(reader: DocumentReader, root: ReadonlyMap<string, Field>) {
  const expected = 'version: "2.0" or "2.1"';
  const field = root.get('version');
  if (field === undefined) {
    reader.fail(reader.root, expected);
    return;
  }
  const version = reader.text(field, expected);
  if (version !== undefined && !versions.has(version)) reader.fail(field, expected);
}

/** `deployment.SERVICE.PLACEMENT: {profile, count}`, priced by the placement's profile. */
function readPlacements(
  reader: DocumentReader,
  root: ReadonlyMap<string, Field>,
  services: ReadonlyMap<string, Field>,
): ReadonlyMap<string, Placed> {
  const placed = new Map<string, Placed>();
  const field = root.get('deployment');
  if (field === undefined) {
    reader.fail(reader.root, 'the key deployment');
    return placed;
  }
  const deployment = reader.entries(field, 'a map of placements by service');
  if (deployment === undefined) return placed;
  const profiles = readProfiles(reader, root);
  for (const [service, placements] of deployment) {
    if (!services.has(service)) reader.fail(placements, `a service that services names`);
    let count = 0;
    let price = 0n;
    for (const [placement, options] of reader.entries(placements, 'a map by placement') ?? []) {
      const one = readPlacement(reader, options, { service, placement }, profiles);
      count += one?.count ?? 0;
      price += one?.price ?? 0n;
    }
    placed.set(service, { count, price });
  }
  for (const [service, at] of services) {
    if (!deployment.has(service)) {
      reader.fail({ ...at, path: `deployment.${service}` }, 'a placement for this service');
    }
  }
  return placed;
}

interface Profiles {
  readonly compute: ReadonlyMap<string, Field> | undefined;
  readonly placement: ReadonlyMap<string, Field> | undefined;
}

function readProfiles(reader: DocumentReader, root: ReadonlyMap<string, Field>): Profiles {
  const field = root.get('profiles');
  if (field === undefined) {
    reader.fail(reader.root, 'the key profiles');
    return { compute: undefined, placement: undefined };
  }
  const profiles = reader.entries(field, 'a map with compute and placement');
  const section = (name: string) => {
    const found = profiles?.get(name);
    if (profiles !== undefined && found === undefined) reader.fail(field, `the key ${name}`);
    return found === undefined ? undefined : reader.entries(found, `a map of ${name} profiles`);
  };
  return { compute: section('compute'), placement: section('placement') };
}

function readPlacement(
  reader: DocumentReader,
  field: Field,
  at: { readonly service: string; readonly placement: string },
  profiles: Profiles,
): Placed | undefined {
  const options = reader.entries(field, 'a map with profile and count');
  if (options === undefined) return undefined;
  const placement = profiles.placement?.get(at.placement);
  if (profiles.placement !== undefined && placement === undefined) {
    reader.fail(field, `a placement that profiles.placement names, not ${at.placement}`);
  }
  const profileField = options.get('profile');
  if (profileField === undefined) return reader.fail(field, 'the key profile');
  const profile = reader.text(profileField, 'the name of a compute profile');
  if (profile !== undefined && profiles.compute?.has(profile) === false) {
    reader.fail(profileField, `a profile that profiles.compute names, not ${profile}`);
  }
  const countField = options.get('count');
  const count =
    countField === undefined
      ? 1
      : reader.integer(countField, 'a whole number of instances, at least 1', 1, 1000);
  const price =
    placement === undefined ? 0n : readPrice(reader, placement, profile ?? at.service, at.service);
  return { count: count ?? 0, price: price * BigInt(count ?? 0) };
}

/**
 * Price of one instance a block. `pricing` names compute profiles, which most people call by their
 * service's name; a profile without a price runs for nothing.
 */
function readPrice(
  reader: DocumentReader,
  placement: Field,
  profile: string,
  service: string,
): Atoms {
  const pricingField = reader.entries(placement, 'a map with pricing')?.get('pricing');
  if (pricingField === undefined) return 0n;
  const pricing = reader.entries(pricingField, 'a map of prices by profile');
  const priceField = pricing?.get(profile) ?? pricing?.get(service);
  if (priceField === undefined) return 0n;
  const amountField = reader.entries(priceField, 'a map with denom and amount')?.get('amount');
  const expected = 'an amount in micro-units a block of 6 s, 0 or more, at most 12 decimals';
  if (amountField === undefined) {
    reader.fail(priceField, 'the key amount');
    return 0n;
  }
  const text = reader.text(amountField, expected);
  if (text === undefined) return 0n;
  const micros = parseDecimal(text);
  if (micros === undefined || micros < 0n || micros % microsPerUnit !== 0n) {
    reader.fail(amountField, expected);
    return 0n;
  }
  return micros / microsPerUnit;
}
