/** Reads the resource limits of the services of an SDL. */
import type { SdlField } from './field.ts';
import { SdlReader } from './reader.ts';

/** Resource limits of an instance; undefined means unlimited. */
export interface ResourceLimits {
  /** Number of processors, such as 0.5. */
  readonly cpu?: number | undefined;
  /** Memory in bytes. */
  readonly memory?: number | undefined;
  /** Storage of all volumes in bytes. */
  readonly storage?: number | undefined;
}

/** Matches `cpu.units`: a number of processors, or thousandths such as 100m. */
const cpuUnits = /^(\d+(?:\.\d*)?|\.\d+)(m?)$/;

const byteSize = /^((?:\d+(?:\.\d*)?|\.\d+)(?:e\d{1,2})?)\s*(?:([kmgtpe])(i?))?b?$/i;

const prefixes = ['', 'k', 'm', 'g', 't', 'p', 'e'];

/**
 * Returns the limits of each service from its compute profiles. A service with several placements
 * gets the largest limits. Unreadable limits are undefined.
 */
export function readResourceLimits(text: string): ReadonlyMap<string, ResourceLimits> {
  return resourceLimits(new SdlReader(text));
}

/** Reads the limits from a parsed text; mistakes in them are reported to the reader. */
export function resourceLimits(reader: SdlReader): ReadonlyMap<string, ResourceLimits> {
  const root = entriesOf(reader, reader.root);
  const compute = entriesOf(reader, entriesOf(reader, root.get('profiles')).get('compute'));
  return new Map(
    [...entriesOf(reader, root.get('deployment'))].map(([service, placements]) => {
      const all = [...entriesOf(reader, placements).values()].map((placement) =>
        placementLimits(reader, compute, placement),
      );
      return [
        service,
        {
          cpu: largest(all.map(({ cpu }) => cpu)),
          memory: largest(all.map(({ memory }) => memory)),
          storage: largest(all.map(({ storage }) => storage)),
        },
      ];
    }),
  );
}

/**
 * Returns the limits of an instance in a placement of a service.
 *
 * @param compute fields of `profiles.compute`.
 * @param placement field of the placement below `deployment.SERVICE`.
 */
export function placementLimits(
  reader: SdlReader,
  compute: ReadonlyMap<string, SdlField>,
  placement: SdlField,
): ResourceLimits {
  const profile = entriesOf(reader, placement).get('profile');
  const name = (profile && reader.text(profile, '')) ?? '';
  const resources = entriesOf(reader, entriesOf(reader, compute.get(name)).get('resources'));
  return {
    cpu: parseCpu(sizeOf(reader, resources.get('cpu'), 'units')),
    memory: parseBytes(sizeOf(reader, resources.get('memory'), 'size')),
    storage: storageOf(reader, resources.get('storage')),
  };
}

/** Returns the entries of a map; none of another value. */
export function entriesOf(
  reader: SdlReader,
  field: SdlField | undefined,
): ReadonlyMap<string, SdlField> {
  const isMap = field !== undefined && reader.isMap(field);
  return (isMap ? reader.entries(field, '') : undefined) ?? new Map();
}

function sizeOf(reader: SdlReader, field: SdlField | undefined, key: string): string {
  if (field === undefined) return '';
  const size = reader.isMap(field) ? entriesOf(reader, field).get(key) : field;
  return (size && reader.text(size, '')) ?? '';
}

/** Returns the sum of the volumes; undefined without any, or if one is unreadable. */
function storageOf(reader: SdlReader, field: SdlField | undefined): number | undefined {
  if (field === undefined || !reader.isList(field)) {
    return parseBytes(sizeOf(reader, field, 'size'));
  }
  const sizes = (reader.items(field, '') ?? []).map((each) =>
    parseBytes(sizeOf(reader, each, 'size')),
  );
  return sizes.length === 0 || sizes.includes(undefined)
    ? undefined
    : sizes.reduce((sum: number, size) => sum + (size ?? 0), 0);
}

/** Returns the largest value; undefined if a value is undefined, because that one is unlimited. */
function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 || known.length < values.length ? undefined : Math.max(...known);
}

/** Parses a number of processors; undefined for other texts and for 0. */
export function parseCpu(text: string): number | undefined {
  const [, number = '', milli] = cpuUnits.exec(text.trim()) ?? [];
  return positiveOnly(Number.parseFloat(number) / (milli === 'm' ? 1000 : 1));
}

/** Parses a size into whole bytes; undefined for other texts and for 0. */
export function parseBytes(text: string): number | undefined {
  const [, number = '', prefix = '', binary = ''] = byteSize.exec(text.trim()) ?? [];
  const power = prefixes.indexOf(prefix.toLowerCase());
  return positiveOnly(
    Math.floor(Number.parseFloat(number) * (binary === '' ? 1000 : 1024) ** power),
  );
}

function positiveOnly(value: number): number | undefined {
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
