import type { SdlField } from './field.ts';
import { SdlReader } from './reader.ts';

/** What an instance may use at most; undefined where the SDL does not say. */
export interface Resources {
  /** Processors, as 0.5. */
  readonly cpu?: number | undefined;
  /** Bytes. */
  readonly memory?: number | undefined;
}

/** Processors of `cpu.units`: a number, or thousandths as 100m. */
const cpuUnits = /^(\d+(?:\.\d*)?|\.\d+)(m?)$/;

const byteSize = /^((?:\d+(?:\.\d*)?|\.\d+)(?:e\d{1,2})?)\s*(?:([kmgtpe])(i?))?b?$/i;

const prefixes = ['', 'k', 'm', 'g', 't', 'p', 'e'];

/**
 * What the compute profiles of an SDL let each service use, by its name. A service that several
 * placements give different profiles gets the most of each. What cannot be read is left out.
 */
export function readResources(text: string): ReadonlyMap<string, Resources> {
  const reader = new SdlReader(text);
  const below = (field: SdlField | undefined): ReadonlyMap<string, SdlField> =>
    (field !== undefined && reader.isMap(field) ? reader.entries(field, '') : undefined) ??
    new Map();
  const root = below(reader.root);
  const compute = below(below(root.get('profiles')).get('compute'));
  const sizeOf = (field: SdlField | undefined, key: string): string => {
    if (field === undefined) return '';
    const size = reader.isMap(field) ? below(field).get(key) : field;
    return (size && reader.text(size, '')) ?? '';
  };
  return new Map(
    [...below(root.get('deployment'))].map(([service, placements]) => {
      const all = [...below(placements).values()].map((placement) => {
        const profile = below(placement).get('profile');
        const name = (profile && reader.text(profile, '')) ?? '';
        const resources = below(below(compute.get(name)).get('resources'));
        return {
          cpu: parseCpu(sizeOf(resources.get('cpu'), 'units')),
          memory: parseBytes(sizeOf(resources.get('memory'), 'size')),
        };
      });
      return [
        service,
        { cpu: most(all.map(({ cpu }) => cpu)), memory: most(all.map(({ memory }) => memory)) },
      ];
    }),
  );
}

/** Undefined when one is: that one is not limited. */
function most(values: readonly (number | undefined)[]): number | undefined {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 || known.length < values.length ? undefined : Math.max(...known);
}

/** Processors; undefined for what is no number of them, and for none. */
export function parseCpu(text: string): number | undefined {
  const [, number = '', milli] = cpuUnits.exec(text.trim()) ?? [];
  return positive(Number.parseFloat(number) / (milli === 'm' ? 1000 : 1));
}

/** Whole bytes; undefined for what is no size, and for none. */
export function parseBytes(text: string): number | undefined {
  const [, number = '', prefix = '', binary = ''] = byteSize.exec(text.trim()) ?? [];
  const power = prefixes.indexOf(prefix.toLowerCase());
  return positive(Math.floor(Number.parseFloat(number) * (binary === '' ? 1000 : 1024) ** power));
}

function positive(value: number): number | undefined {
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
