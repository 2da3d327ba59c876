import type { Atoms } from '../decimal.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import { didYouMean, nearName } from './near-name.ts';
import { checkPrices, readPrice } from './pricing.ts';
import type { SdlReader } from './reader.ts';
import { quoted, shownText } from './shown-value.ts';
import { checkSizes } from './sizes.ts';
import { refuseUnmounted } from './volumes.ts';

/** A service in all its placements. */
interface Placed {
  readonly count: number;
  /** Of a block, all instances; undefined where a price or a count cannot be read. */
  readonly price: Atoms | undefined;
  readonly isPriced: boolean;
}

/** Undefined where the section is missing or no map. */
interface Profiles {
  readonly compute: ReadonlyMap<string, SdlField> | undefined;
  readonly placement: ReadonlyMap<string, SdlField> | undefined;
}

/** Mistyped names whose services are not told to have no placement as well. */
const mostMeant = 20;

/**
 * `deployment.SERVICE.PLACEMENT: {profile, count}`, priced by the placement's profile.
 * @param services undefined where they cannot be read: any name is right then.
 */
export function readPlacements(
  reader: SdlReader,
  root: ReadonlyMap<string, SdlField>,
  services: ReadonlyMap<string, SdlField> | undefined,
): ReadonlyMap<string, Placed> {
  const placed = new Map<string, Placed>();
  const profiles = readProfiles(reader, root.get('profiles'));
  const field = root.get('deployment');
  const deployment = field && reader.entries(field, 'a map of placements by service');
  const meant = new Set<string | undefined>();
  let mistyped = 0;
  for (const [service, placements] of deployment ?? []) {
    if (services?.has(service) === false) {
      const below = servicesBelow(reader, placements, service, { services, profiles });
      if (below.length > 0) {
        for (const each of below) meant.add(each);
        continue;
      }
      mistyped += 1;
      if (mistyped <= mostMeant) meant.add(nearName(service, services.keys()));
      reader.failKey(
        placements,
        'a service that services names',
        () =>
          `service ${quoted(service)} is not in services.${didYouMean(service, services.keys())}`,
      );
    }
    const all = [...(reader.entries(placements, 'a map by placement') ?? [])].map(
      ([placement, options]) =>
        readPlacement(
          reader,
          options,
          { service, field: services?.get(service), placement },
          profiles,
        ),
    );
    placed.set(service, sumOf(all));
    if (all.length === 0 && reader.isMap(placements)) {
      const sentence = () => `service ${quoted(service)} has no placement here.`;
      reader.failKey(placements, 'a placement for this service', sentence);
    }
  }
  for (const [service, at] of deployment === undefined ? [] : (services ?? [])) {
    if (deployment?.has(service) === true || meant.has(service)) continue;
    reader.advise(() => {
      reader.failKey({ ...at, path: `deployment.${service}` }, 'a placement for this service', () =>
        unplaced(service),
      );
    });
  }
  if (field !== undefined && deployment?.size === 0) {
    const sentence = () => 'deployment names no service: nothing would run.';
    reader.failKey(field, 'a placement for a service', sentence);
  }
  checkProfiles(reader, profiles, services);
  return placed;
}

/** The services below a placement, which is noted: it should stand below them. */
function servicesBelow(
  reader: SdlReader,
  field: SdlField,
  name: string,
  { services, profiles }: { services: ReadonlyMap<string, SdlField>; profiles: Profiles },
): readonly string[] {
  if (profiles.placement?.has(name) !== true || !reader.isMap(field)) return [];
  const below = [...(reader.entries(field, '')?.keys() ?? [])];
  if (below.length === 0 || !below.every((key) => services.has(key))) return [];
  reader.failKey(
    field,
    'services, with their placements below them',
    () => `${quoted(name)} is a placement: it stands below its services here, not above them.`,
  );
  return below;
}

/** Advises on what no placement has read: sizes, which a host may ignore, and prices. */
function checkProfiles(
  reader: SdlReader,
  { compute, placement }: Profiles,
  services: ReadonlyMap<string, SdlField> | undefined,
): void {
  reader.advise(() => {
    for (const profile of compute?.values() ?? []) checkSizes(reader, profile);
    if (compute === undefined || placement === undefined) return;
    checkPrices(reader, placement, {
      profiles: new Set(compute.keys()),
      services: new Set(services?.keys()),
    });
  });
}

function sumOf(placements: readonly (Placed | undefined)[]): Placed {
  let count = 0;
  let price: Atoms | undefined = 0n;
  let isPriced = false;
  for (const one of placements) {
    count += one?.count ?? 0;
    price = price === undefined || one?.price === undefined ? undefined : price + one.price;
    isPriced ||= one?.isPriced ?? false;
  }
  return { count, price, isPriced };
}

function readProfiles(reader: SdlReader, field: SdlField | undefined): Profiles {
  const nothing = { compute: undefined, placement: undefined };
  if (field === undefined) return nothing;
  const entries = reader.entries(field, 'a map with compute and placement');
  if (entries === undefined) return nothing;
  checkKeys(
    reader,
    { field, entries, name: 'profiles' },
    { required: ['compute', 'placement'], known: [] },
  );
  const section = (name: string) => {
    const found = entries.get(name);
    return found && reader.entries(found, `a map of ${name} profiles`);
  };
  return { compute: section('compute'), placement: section('placement') };
}

function readPlacement(
  reader: SdlReader,
  field: SdlField,
  at: {
    readonly service: string;
    /** The place of the service itself; undefined where it is not there. */
    readonly field: SdlField | undefined;
    readonly placement: string;
  },
  profiles: Profiles,
): Placed | undefined {
  const entries = reader.entries(field, 'a map with profile and count');
  if (entries === undefined) return undefined;
  checkKeys(
    reader,
    { field, entries, name: shownText(at.placement) },
    { required: ['profile'], known: ['count'] },
  );
  const placement = profiles.placement?.get(at.placement);
  if (profiles.placement !== undefined && placement === undefined) {
    reader.failKey(
      field,
      `a placement that profiles.placement names, not ${shownText(at.placement)}`,
      () => unknownName('placement', at.placement, profiles.placement),
    );
  }
  const profileField = entries.get('profile');
  const profile = profileField && reader.text(profileField, 'the name of a compute profile');
  const isUnknown = profile !== undefined && profiles.compute?.has(profile) === false;
  if (profileField !== undefined && isUnknown) {
    reader.fail(
      profileField,
      `a profile that profiles.compute names, not ${shownText(profile)}`,
      () => unknownName('profile', profile, profiles.compute),
    );
  }
  const countField = reader.present(entries.get('count'));
  const count =
    countField === undefined
      ? 1
      : reader.integer(countField, 'a whole number from 1 to 1000', 1, 1000);
  if (placement === undefined || profile === undefined || isUnknown)
    return { count: count ?? 0, price: undefined, isPriced: false };
  const compute = profiles.compute?.get(profile);
  if (compute !== undefined)
    refuseUnmounted(reader, { name: at.service, field: at.field }, compute);
  const { each, isPriced } = readPrice(
    reader,
    placement,
    { profile, service: at.service },
    profiles.compute ?? new Map<string, SdlField>(),
  );
  const price = each === undefined || count === undefined ? undefined : each * BigInt(count);
  return { count: count ?? 0, price, isPriced };
}

function unplaced(service: string): string {
  return `service ${quoted(service)} has no placement in deployment: it does not run.`;
}

function unknownName(
  kind: 'profile' | 'placement',
  name: string,
  known: ReadonlyMap<string, SdlField> | undefined,
): string {
  const section = kind === 'profile' ? 'profiles.compute' : 'profiles.placement';
  return `${kind} ${quoted(name)} is not in ${section}.${didYouMean(name, known?.keys() ?? [])}`;
}
