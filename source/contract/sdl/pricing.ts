/** Reads and checks the prices of placements. */
import { type Atoms, parseDecimal } from '../decimal.ts';
import type { Position } from './definition.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import { formatSuggestion, findNearName } from './near-name.ts';
import type { SdlReader } from './reader.ts';
import { quoteName, formatPlainText } from './shown-text.ts';

/** Price of one instance for a block of 6 s; undefined if it is unreadable. */
export interface InstancePrice {
  readonly amount: Atoms | undefined;
  readonly isPriced: boolean;
  /** Position of the amount; undefined if it is unreadable. */
  readonly position?: Position | undefined;
}

const microsPerUnit = 1_000_000n;

const amountExpected =
  'an amount in micro-units per block of 6 s, 0 or more with at most 12 decimals';

/** Length of the longest accepted amount, to bound the time of parsing. */
const maxAmountLength = 64;

const placementKeys = ['attributes', 'signedBy'];

const unreadable: InstancePrice = { amount: undefined, isPriced: false };

/**
 * Reads the price of one instance for a block of 6 s. The keys of `pricing` are compute profiles, or
 * services, which often share their names. A missing price is an error; `amount: 0` means free.
 */
export function readPrice(
  reader: SdlReader,
  placement: SdlField,
  { profile, service }: { readonly profile: string; readonly service: string },
  profiles: ReadonlyMap<string, SdlField>,
): InstancePrice {
  const entries = reader.entries(placement, 'a map with pricing');
  if (entries === undefined) return unreadable;
  const name = `Placement ${quoteName(placement.name)}`;
  checkKeys(
    reader,
    { field: placement, entries, name },
    { required: ['pricing'], known: placementKeys },
  );
  const pricingField = entries.get('pricing');
  const pricing = pricingField && reader.entries(pricingField, 'a map of prices by profile');
  if (pricingField === undefined || pricing === undefined) return unreadable;
  const priceField = pricing.get(profile) ?? pricing.get(service);
  if (priceField !== undefined) return readAmount(reader, priceField);
  const near = reader.canCompare() ? findNearName(profile, pricing.keys()) : undefined;
  const nearPrice = near === undefined ? undefined : pricing.get(near);
  if (nearPrice !== undefined && !profiles.has(near ?? '')) {
    reportUnusedPrice(reader, nearPrice, profiles);
    return unreadable;
  }
  reader.reportKey(
    pricingField,
    `a price for profile ${formatPlainText(profile)}`,
    () => `${name} has no price for profile ${quoteName(profile)}.`,
  );
  return unreadable;
}

/** Reports a price that belongs to no compute profile. */
function reportUnusedPrice(
  reader: SdlReader,
  price: SdlField,
  profiles: ReadonlyMap<string, SdlField> | ReadonlySet<string>,
): void {
  reader.reportKey(
    price,
    'the name of a compute profile',
    () =>
      `Price ${quoteName(price.name)} matches no profile in profiles.compute.${formatSuggestion(price.name, profiles.keys())}`,
  );
}

function readAmount(reader: SdlReader, priceField: SdlField): InstancePrice {
  const entries = reader.entries(priceField, 'a map with denom and amount');
  if (entries === undefined) return unreadable;
  const map = {
    field: priceField,
    entries,
    name: `The price of ${formatPlainText(priceField.name)}`,
  };
  checkKeys(reader, map, { required: ['amount'], known: ['denom'] });
  const field = entries.get('amount');
  const text = field && reader.text(field, amountExpected);
  if (field === undefined || text === undefined) return unreadable;
  if (text.length > maxAmountLength) {
    reader.reportValue(field, `an amount of at most ${maxAmountLength} characters`);
    return unreadable;
  }
  const micros = parseDecimal(text);
  if (micros === undefined || micros < 0n || micros % microsPerUnit !== 0n) {
    reader.reportValue(
      field,
      amountExpected,
      () =>
        `amount must be a number of micro-units, 0 or more with at most 12 decimals, not ${reader.formatValue(field)}.`,
    );
    return unreadable;
  }
  return { amount: micros / microsPerUnit, isPriced: true, position: reader.position(field) };
}

/** Checks `signedBy: {anyOf: [ADDRESS], allOf: [ADDRESS]}`. */
function checkSigners(reader: SdlReader, signedBy: SdlField | undefined): void {
  const field = reader.optional(signedBy);
  if (field === undefined) return;
  const entries = reader.entries(field, 'a map with anyOf and allOf');
  if (entries === undefined) return;
  const known = ['anyOf', 'allOf'];
  checkKeys(reader, { field, entries }, { required: [], known });
  for (const key of known) {
    const list = reader.optional(entries.get(key));
    if (list === undefined) continue;
    for (const item of reader.items(list, 'a list of addresses') ?? []) {
      reader.text(item, 'an address');
    }
  }
}

/** Checks prices that no service uses: unreadable ones, and those of unknown profiles. */
export function checkPrices(
  reader: SdlReader,
  placements: ReadonlyMap<string, SdlField>,
  names: { readonly profiles: ReadonlySet<string>; readonly services: ReadonlySet<string> },
): void {
  for (const placement of placements.values()) {
    if (!reader.isMap(placement)) continue;
    const entries = reader.entries(placement, '') ?? new Map<string, SdlField>();
    checkKeys(
      reader,
      { field: placement, entries },
      { required: [], known: ['pricing', ...placementKeys] },
    );
    reader.optional(entries.get('attributes'));
    checkSigners(reader, entries.get('signedBy'));
    const pricing = entries.get('pricing');
    if (pricing === undefined || !reader.isMap(pricing)) continue;
    for (const [name, price] of reader.entries(pricing, '') ?? []) {
      readAmount(reader, price);
      if (names.profiles.has(name) || names.services.has(name)) continue;
      reportUnusedPrice(reader, price, names.profiles);
    }
  }
}
