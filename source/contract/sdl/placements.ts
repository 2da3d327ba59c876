/** Reads the placements of the services and the profiles they use. */
import type { Atoms } from '../decimal.ts';
import type { PricedPlacement } from './definition.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import { formatSuggestion, findNearName } from './near-name.ts';
import { checkPrices, readPrice } from './pricing.ts';
import { readProfileStorage } from './profile-storage.ts';
import type { SdlReader } from './reader.ts';
import { quoteName, formatPlainText } from './shown-text.ts';
import { checkLeastMemory, checkSizes } from './sizes.ts';
import { type PlacedStorage, reportUnmountedVolumes } from './volumes.ts';

/** Count and price of a service in one or all of its placements. */
export interface PlacementTotal {
  readonly count: number;
  /** Price of all instances for a block of 6 s; undefined if a price or a count is unreadable. */
  readonly price: Atoms | undefined;
  readonly isPriced: boolean;
  /** The placements with a readable price and count. */
  readonly priced: readonly PricedPlacement[];
  readonly storage: PlacedStorage;
}

/** The profiles; a section is undefined if it is missing or not a map. */
interface Profiles {
  readonly compute: ReadonlyMap<string, SdlField> | undefined;
  readonly placement: ReadonlyMap<string, SdlField> | undefined;
}

/** Largest number of mistyped names whose services are exempt from the missing placement warning. */
const maxMistyped = 20;

/**
 * Reads `deployment.SERVICE.PLACEMENT: {profile, count}` with the prices of the profiles.
 * @param services undefined if they are unreadable, and then any name is valid.
 */
export function readPlacements(
  reader: SdlReader,
  root: ReadonlyMap<string, SdlField>,
  services: ReadonlyMap<string, SdlField> | undefined,
): ReadonlyMap<string, PlacementTotal> {
  const totals = new Map<string, PlacementTotal>();
  const profiles = readProfiles(reader, root.get('profiles'));
  const field = root.get('deployment');
  const deployment = field && reader.entries(field, 'a map of placements by service');
  const mistypedServices = new Set<string | undefined>();
  let mistypedCount = 0;
  for (const [service, placements] of deployment ?? []) {
    if (services?.has(service) === false) {
      const nested = reportSwappedLevels(reader, placements, service, { services, profiles });
      if (nested.length > 0) {
        for (const each of nested) mistypedServices.add(each);
        continue;
      }
      mistypedCount += 1;
      if (mistypedCount <= maxMistyped)
        mistypedServices.add(findNearName(service, services.keys()));
      reader.reportKey(
        placements,
        'a service listed in services',
        () =>
          `Service ${quoteName(service)} is not in services.${formatSuggestion(service, services.keys())}`,
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
    totals.set(service, sumTotals(all));
    if (all.length === 0 && reader.isMap(placements)) {
      const sentence = () => `Service ${quoteName(service)} has no placement.`;
      reader.reportKey(placements, 'a placement for this service', sentence);
    }
  }
  for (const [service, at] of deployment === undefined ? [] : (services ?? [])) {
    if (deployment?.has(service) === true || mistypedServices.has(service)) continue;
    reader.asWarnings(() => {
      reader.reportKey(
        { ...at, path: `deployment.${service}` },
        'a placement for this service',
        () => missingPlacement(service),
      );
    });
  }
  if (field !== undefined && deployment?.size === 0) {
    const sentence = () => 'deployment lists no service, so nothing would run.';
    reader.reportKey(field, 'a placement for a service', sentence);
  }
  checkProfiles(reader, profiles, services);
  return totals;
}

/** Reports a placement above its services instead of below them; returns those services. */
function reportSwappedLevels(
  reader: SdlReader,
  field: SdlField,
  name: string,
  { services, profiles }: { services: ReadonlyMap<string, SdlField>; profiles: Profiles },
): readonly string[] {
  if (profiles.placement?.has(name) !== true || !reader.isMap(field)) return [];
  const nested = [...(reader.entries(field, '')?.keys() ?? [])];
  if (nested.length === 0 || !nested.every((key) => services.has(key))) return [];
  reader.reportKey(
    field,
    'services, with their placements below them',
    () => `${quoteName(name)} is a placement. Put it below its services, not above them.`,
  );
  return nested;
}

/** Checks the sizes and prices that no placement has read; mistakes are warnings. */
function checkProfiles(
  reader: SdlReader,
  { compute, placement }: Profiles,
  services: ReadonlyMap<string, SdlField> | undefined,
): void {
  reader.asWarnings(() => {
    for (const profile of compute?.values() ?? []) checkSizes(reader, profile);
    if (compute === undefined || placement === undefined) return;
    checkPrices(reader, placement, {
      profiles: new Set(compute.keys()),
      services: new Set(services?.keys()),
    });
  });
}

function sumTotals(placements: readonly (PlacementTotal | undefined)[]): PlacementTotal {
  let count = 0;
  let price: Atoms | undefined = 0n;
  let isPriced = false;
  const priced: PricedPlacement[] = [];
  const storage = placements.flatMap((total) => total?.storage ?? []);
  for (const total of placements) {
    count += total?.count ?? 0;
    price = price === undefined || total?.price === undefined ? undefined : price + total.price;
    isPriced ||= total?.isPriced ?? false;
    priced.push(...(total?.priced ?? []));
  }
  return { count, price, isPriced, priced, storage };
}

function readProfiles(reader: SdlReader, field: SdlField | undefined): Profiles {
  const noProfiles = { compute: undefined, placement: undefined };
  if (field === undefined) return noProfiles;
  const entries = reader.entries(field, 'a map with compute and placement');
  if (entries === undefined) return noProfiles;
  checkKeys(
    reader,
    { field, entries, name: 'profiles' },
    { required: ['compute', 'placement'], known: [] },
  );
  const section = (name: string) => {
    const sectionField = entries.get(name);
    return sectionField && reader.entries(sectionField, `a map of ${name} profiles`);
  };
  return { compute: section('compute'), placement: section('placement') };
}

function readPlacement(
  reader: SdlReader,
  field: SdlField,
  at: {
    readonly service: string;
    /** Field of the service; undefined for an unknown one. */
    readonly field: SdlField | undefined;
    readonly placement: string;
  },
  profiles: Profiles,
): PlacementTotal | undefined {
  const entries = reader.entries(field, 'a map with profile and count');
  if (entries === undefined) return undefined;
  checkKeys(
    reader,
    { field, entries, name: formatPlainText(at.placement) },
    { required: ['profile'], known: ['count'] },
  );
  const placement = profiles.placement?.get(at.placement);
  if (profiles.placement !== undefined && placement === undefined) {
    reader.reportKey(
      field,
      `a placement listed in profiles.placement, not ${formatPlainText(at.placement)}`,
      () => unknownName('Placement', at.placement, profiles.placement),
    );
  }
  const profileField = entries.get('profile');
  const profile = profileField && reader.text(profileField, 'the name of a compute profile');
  const isUnknown = profile !== undefined && profiles.compute?.has(profile) === false;
  if (profileField !== undefined && isUnknown) {
    reader.reportValue(
      profileField,
      `a profile listed in profiles.compute, not ${formatPlainText(profile)}`,
      () => unknownName('Profile', profile, profiles.compute),
    );
  }
  const countField = reader.optional(entries.get('count'));
  const count =
    countField === undefined
      ? 1
      : reader.integer(countField, 'a whole number from 1 to 1000', 1, 1000);
  if (placement === undefined || profile === undefined || isUnknown)
    return { count: count ?? 0, price: undefined, isPriced: false, priced: [], storage: [] };
  const compute = profiles.compute?.get(profile);
  const storage = compute === undefined ? [] : [readProfileStorage(reader, compute)];
  if (compute !== undefined) checkLeastMemory(reader, compute);
  for (const each of storage)
    reportUnmountedVolumes(reader, { name: at.service, field: at.field }, each);
  const { amount, isPriced, position } = readPrice(
    reader,
    placement,
    { profile, service: at.service },
    profiles.compute ?? new Map<string, SdlField>(),
  );
  if (amount === undefined || count === undefined || position === undefined)
    return { count: count ?? 0, price: undefined, isPriced, priced: [], storage };
  const priced = [{ service: at.service, count, amount, position }];
  return { count, price: amount * BigInt(count), isPriced, priced, storage };
}

function missingPlacement(service: string): string {
  return `Service ${quoteName(service)} has no placement in deployment, so it does not run.`;
}

function unknownName(
  kind: 'Profile' | 'Placement',
  name: string,
  names: ReadonlyMap<string, SdlField> | undefined,
): string {
  const section = kind === 'Profile' ? 'profiles.compute' : 'profiles.placement';
  return `${kind} ${quoteName(name)} is not in ${section}.${formatSuggestion(name, names?.keys() ?? [])}`;
}
