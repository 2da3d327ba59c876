/** Reads the dependencies between services and reports cycles. */
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import { readServiceName } from './names.ts';
import type { SdlReader } from './reader.ts';
import { quoteName } from './shown-text.ts';

/** A service that must run before another one starts, with its field. */
export interface Dependency {
  readonly service: string;
  readonly field: SdlField;
}

/** Keys of the dependencies of a service; SDLs use both. */
export const dependencyKeys = ['dependsOn', 'dependencies'] as const;

/**
 * Reads the services that must run before this one starts: a list of names, or of maps with `service`.
 * @param names names of all services.
 */
export function readDependencies(
  reader: SdlReader,
  keys: ReadonlyMap<string, SdlField>,
  names: ReadonlySet<string>,
): readonly Dependency[] {
  const dependencies = new Map<string, Dependency>();
  for (const key of dependencyKeys) {
    const list = reader.optional(keys.get(key));
    if (list === undefined) continue;
    for (const item of reader.items(list, 'a list of services') ?? []) {
      const field = reader.isMap(item) ? serviceField(reader, item) : item;
      const service = field && readServiceName(reader, field, names);
      if (field === undefined || service === undefined || dependencies.has(service)) continue;
      dependencies.set(service, { service, field });
    }
  }
  return [...dependencies.values()];
}

function serviceField(reader: SdlReader, item: SdlField): SdlField | undefined {
  const entries = reader.entries(item, '');
  if (entries === undefined) return undefined;
  checkKeys(
    reader,
    { field: item, entries, name: item.name },
    { required: ['service'], known: [] },
  );
  return entries.get('service');
}

/** Largest number of services that a message about a cycle names. */
const maxNamed = 5;

/** Reports each dependency cycle once, at its first service in the text. */
export function reportCycles(
  reader: SdlReader,
  dependencies: ReadonlyMap<string, readonly Dependency[]>,
): void {
  const next = blockedBy(dependencies);
  const order = new Map([...next.keys()].map((name, index) => [name, index]));
  const seen = new Map<string, string>();
  for (const first of next.keys()) {
    let at: string | undefined = first;
    while (at !== undefined && !seen.has(at)) {
      seen.set(at, first);
      at = next.get(at)?.service;
    }
    // A walk that ends at a service of an earlier walk has found no new cycle.
    if (at !== undefined && seen.get(at) === first) reportCycle(reader, cycleFrom(next, at), order);
  }
}

/** Returns, for each service that can never start, its first dependency that cannot start either. */
function blockedBy(
  dependencies: ReadonlyMap<string, readonly Dependency[]>,
): ReadonlyMap<string, Dependency> {
  const missing = new Map([...dependencies].map(([name, all]) => [name, all.length]));
  const dependents = new Map<string, string[]>();
  for (const [name, all] of dependencies) {
    for (const { service } of all) {
      const names = dependents.get(service);
      if (names === undefined) dependents.set(service, [name]);
      else names.push(name);
    }
  }
  const startable = [...missing].flatMap(([name, count]) => (count === 0 ? [name] : []));
  for (let name = startable.pop(); name !== undefined; name = startable.pop()) {
    missing.delete(name);
    for (const dependent of dependents.get(name) ?? []) {
      const remaining = (missing.get(dependent) ?? 0) - 1;
      missing.set(dependent, remaining);
      if (remaining === 0) startable.push(dependent);
    }
  }
  return new Map(
    [...missing.keys()].flatMap((name) => {
      const blocker = dependencies.get(name)?.find(({ service }) => missing.has(service));
      return blocker === undefined ? [] : [[name, blocker] as const];
    }),
  );
}

/** Returns the steps of the cycle that contains the service `start`. */
function cycleFrom(
  next: ReadonlyMap<string, Dependency>,
  start: string,
): ReadonlyMap<string, Dependency> {
  const cycle = new Map<string, Dependency>();
  let at = start;
  for (let step = next.get(at); step !== undefined && !cycle.has(at); step = next.get(at)) {
    cycle.set(at, step);
    at = step.service;
  }
  return cycle;
}

function reportCycle(
  reader: SdlReader,
  cycle: ReadonlyMap<string, Dependency>,
  order: ReadonlyMap<string, number>,
): void {
  let first = '';
  let lowest = Number.POSITIVE_INFINITY;
  for (const name of cycle.keys()) {
    const index = order.get(name) ?? lowest;
    if (index < lowest) [first, lowest] = [name, index];
  }
  const step = cycle.get(first);
  if (step === undefined) return;
  reader.reportValue(step.field, 'a service that does not depend on this one', () => {
    if (step.service === first) return `Service ${quoteName(first)} depends on itself.`;
    const names = [first];
    let at = step.service;
    for (; at !== first && names.length < maxNamed; at = cycle.get(at)?.service ?? first) {
      names.push(at);
    }
    const rest = at === first ? '' : ' …,';
    return `Services depend on each other: ${names.map(quoteName).join(', ')},${rest} ${quoteName(first)}.`;
  });
}
