/** Reads where a cluster is to run the instances of the services of an SDL. */
import { SdlReader } from './reader.ts';
import { entriesOf, placementLimits, type ResourceLimits } from './resources.ts';

/** Instances of a service with one placement profile. */
export interface ServicePlacement {
  /** Name of the placement profile. */
  readonly name: string;
  readonly count: number;
  /** Attributes of the profile, which its nodes must have. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly resources: ResourceLimits;
}

/**
 * Returns the placements of each service, in the order of the text. Attributes without a value are left
 * out. The text must be a valid SDL.
 */
export function readServicePlacements(
  text: string,
): ReadonlyMap<string, readonly ServicePlacement[]> {
  const reader = new SdlReader(text);
  const root = entriesOf(reader, reader.root);
  const profiles = entriesOf(reader, root.get('profiles'));
  const compute = entriesOf(reader, profiles.get('compute'));
  const placementProfiles = entriesOf(reader, profiles.get('placement'));
  const attributesOf = (name: string): Readonly<Record<string, string>> => {
    const profile = entriesOf(reader, placementProfiles.get(name));
    const attributes = [...entriesOf(reader, profile.get('attributes'))].flatMap(([key, field]) => {
      const value = reader.text(field, '');
      return value === undefined ? [] : [[key, value] as const];
    });
    return Object.fromEntries(attributes);
  };
  return new Map(
    [...entriesOf(reader, root.get('deployment'))].map(([service, placements]) => [
      service,
      [...entriesOf(reader, placements)].map(([name, field]) => {
        const count = entriesOf(reader, field).get('count');
        return {
          name,
          count: (count && reader.integer(count, '', 1, 1000)) ?? 1,
          attributes: attributesOf(name),
          resources: placementLimits(reader, compute, field),
        };
      }),
    ]),
  );
}
