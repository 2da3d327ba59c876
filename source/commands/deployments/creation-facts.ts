/** The facts about a new deployment before it is created. Pure. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { formatDecimal, parseDecimal } from '../../contract/decimal.ts';
import type { Grant } from '../../contract/grants.ts';
import type { SdlSummary } from '../../contract/sdl/reading.ts';
import { payersOf, remainingText } from '../../store/grants/payers.ts';

export interface CreationFacts {
  readonly summary: SdlSummary;
  /** True on a service that takes the price of the definition, as our host does. */
  readonly isPriced: boolean;
  /** The grants of the service; undefined where they are not known. */
  readonly grants: readonly DecodedRecord<Grant>[] | undefined;
  readonly wallet: string | undefined;
  /** Ms since the epoch, by the clock of the service. */
  readonly serviceNow: number;
}

const hoursOfDay = 24n;

/** Returns the price in words; `unknown` where the definition has none that can be read. */
function priceText(pricePerHour: string | undefined): string {
  const hourly = parseDecimal(pricePerHour ?? '');
  if (hourly === undefined) return 'unknown';
  return `${formatDecimal(hourly)} an hour, ${formatDecimal(hourly * hoursOfDay)} a day`;
}

/** Returns the lines that are shown before the question: services, price, payer. */
export function creationFactLines(facts: CreationFacts): readonly string[] {
  const { summary, isPriced } = facts;
  const services = summary.services.map(({ name, count }) =>
    count === 0 ? name : `${name} (${count} ${count === 1 ? 'instance' : 'instances'})`,
  );
  return [
    `Services: ${services.length === 0 ? 'none' : services.join(', ')}`,
    `${isPriced ? 'Cost' : 'Price in the definition'}: ${priceText(summary.pricePerHour)}`,
    ...(isPriced ? payerLines(facts) : []),
  ];
}

/** Lists the grants that pay, in their order. Addresses stay complete because money moves. */
function payerLines({ grants, wallet, serviceNow }: CreationFacts): readonly string[] {
  const payers = grants === undefined ? undefined : payersOf(grants, wallet, serviceNow);
  if (payers === undefined) return ['Payer: unknown'];
  const names = [
    ...payers.grants.map((grant) => `a grant of ${grant.grantor} (${remainingText(grant)})`),
    'your own balance',
  ];
  return [`Payer: ${names.join(', then ')}`];
}
