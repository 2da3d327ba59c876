import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import { readServiceName } from './names.ts';
import type { SdlReader } from './reader.ts';
import { quoted } from './shown-value.ts';

/** A service that another one starts behind, where the text says so. */
export interface Dependency {
  readonly service: string;
  readonly field: SdlField;
}

/** Both words are in use. */
export const dependencyKeys = ['dependsOn', 'dependencies'] as const;

/**
 * The services that have to run before this one starts: a list of names, or of maps with `service`.
 * @param names of all services.
 */
export function readDependencies(
  reader: SdlReader,
  keys: ReadonlyMap<string, SdlField>,
  names: ReadonlySet<string>,
): readonly Dependency[] {
  const found = new Map<string, Dependency>();
  for (const key of dependencyKeys) {
    const list = reader.present(keys.get(key));
    if (list === undefined) continue;
    for (const item of reader.items(list, 'a list of services') ?? []) {
      const field = reader.isMap(item) ? serviceField(reader, item) : item;
      const service = field && readServiceName(reader, field, names);
      if (field === undefined || service === undefined || found.has(service)) continue;
      found.set(service, { service, field });
    }
  }
  return [...found.values()];
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

/** Services named in a sentence about a cycle; a longer one is cut. */
const mostNamed = 5;

/** Notes where services wait for each other: each circle once, at its first service in the text. */
export function refuseCycles(
  reader: SdlReader,
  dependencies: ReadonlyMap<string, readonly Dependency[]>,
): void {
  const next = waitingFor(dependencies);
  const order = new Map([...next.keys()].map((name, index) => [name, index]));
  const seen = new Map<string, string>();
  for (const first of next.keys()) {
    let at: string | undefined = first;
    while (at !== undefined && !seen.has(at)) {
      seen.set(at, first);
      at = next.get(at)?.service;
    }
    // What leads into a circle that is told already, or to one, stands in none itself.
    if (at !== undefined && seen.get(at) === first) noteCycle(reader, circleFrom(next, at), order);
  }
}

/** Of each service that can never start: the first dependency that cannot either. */
function waitingFor(
  dependencies: ReadonlyMap<string, readonly Dependency[]>,
): ReadonlyMap<string, Dependency> {
  const missing = new Map([...dependencies].map(([name, all]) => [name, all.length]));
  const dependents = new Map<string, string[]>();
  for (const [name, all] of dependencies) {
    for (const { service } of all) {
      const known = dependents.get(service);
      if (known === undefined) dependents.set(service, [name]);
      else known.push(name);
    }
  }
  const startable = [...missing].flatMap(([name, count]) => (count === 0 ? [name] : []));
  for (let name = startable.pop(); name !== undefined; name = startable.pop()) {
    missing.delete(name);
    for (const dependent of dependents.get(name) ?? []) {
      const left = (missing.get(dependent) ?? 0) - 1;
      missing.set(dependent, left);
      if (left === 0) startable.push(dependent);
    }
  }
  return new Map(
    [...missing.keys()].flatMap((name) => {
      const stuck = dependencies.get(name)?.find(({ service }) => missing.has(service));
      return stuck === undefined ? [] : [[name, stuck] as const];
    }),
  );
}

/** Who waits for whom in the circle that a service stands in. */
function circleFrom(
  next: ReadonlyMap<string, Dependency>,
  start: string,
): ReadonlyMap<string, Dependency> {
  const circle = new Map<string, Dependency>();
  let at = start;
  for (let step = next.get(at); step !== undefined && !circle.has(at); step = next.get(at)) {
    circle.set(at, step);
    at = step.service;
  }
  return circle;
}

function noteCycle(
  reader: SdlReader,
  circle: ReadonlyMap<string, Dependency>,
  order: ReadonlyMap<string, number>,
): void {
  let first = '';
  let least = Number.POSITIVE_INFINITY;
  for (const name of circle.keys()) {
    const index = order.get(name) ?? least;
    if (index < least) [first, least] = [name, index];
  }
  const step = circle.get(first);
  if (step === undefined) return;
  reader.fail(step.field, 'a service that does not wait for this one', () => {
    if (step.service === first) return `service ${quoted(first)} waits for itself.`;
    const names = [first];
    let at = step.service;
    for (; at !== first && names.length < mostNamed; at = circle.get(at)?.service ?? first) {
      names.push(at);
    }
    const rest = at === first ? '' : ' …,';
    return `Services wait for each other: ${names.map(quoted).join(', ')},${rest} ${quoted(first)}.`;
  });
}
