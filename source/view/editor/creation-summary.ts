import { type AddressBook, addressName } from '../../store/grants/address-book.ts';
import type { TextProblem } from '../../editor/problems.ts';
import { utcText } from '../../store/grants/expiry.ts';
import { remainingText, type Payers } from '../../store/grants/payers.ts';
import { truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { formatAge, formatHours } from '../../store/time/age.ts';
import { formatMemory, formatRate } from '../text/amount.ts';
import { sentText } from '../text/unfinished.ts';
import type { SdlSummary } from '../../contract/sdl/reading.ts';
import type { Grant } from '../../contract/grants.ts';
import { formatDecimal, parseDecimal } from '../../contract/decimal.ts';
import type { ConfirmFact, ConfirmLine } from '../../store/prompts/confirm.ts';

/** Facts about a deployment before its creation. */
export interface Creation {
  /** Undefined when the definition is too long to be parsed. */
  readonly definition: SdlSummary | undefined;
  readonly problems: readonly TextProblem[];
  /** True on a service that takes the price of the SDL from grants and balances, as our host does. */
  readonly isPriced: boolean;
  /** Undefined while the payers are unknown. */
  readonly payers: Payers | undefined;
  /** Returns what a grant spends an hour; undefined while it is unknown. */
  readonly rateOf: (grantId: string) => number | undefined;
  /** Names of the payers. */
  readonly addressBook: AddressBook;
  /** Time when it was sent without an answer, ms since the epoch. */
  readonly sentAt: number | undefined;
  /** Ms since the epoch, by the local clock. */
  readonly now: number;
  /** Ms since the epoch, by the service's clock. */
  readonly serviceNow: number;
}

/** Longest name in the title of the box, in cells. */
const longestName = 36;

/** Returns the title of the box: `create shop?`. */
export function creationTitle({ definition }: Creation): string {
  if (definition?.name === undefined) return 'create a deployment?';
  return `create ${truncateCells(sanitize(definition.name), longestName)}?`;
}

/** Returns the lines of the box. Texts from the definition are not sanitised. */
export function creationLines(creation: Creation): readonly ConfirmLine[] {
  const { definition, problems, isPriced, payers, sentAt, now } = creation;
  return [
    ...(sentAt === undefined ? [] : [sentLine(sentAt, now)]),
    definition === undefined
      ? 'The definition is too long to be checked.'
      : servicesFact(definition),
    { label: isPriced ? 'Cost' : 'SDL price', values: [costText(definition?.pricePerHour)] },
    ...problemLines(problems),
    ...(payers === undefined
      ? [{ label: 'Payer', values: ['unknown'] } as const]
      : payerFacts(payers, creation)),
  ];
}

function sentLine(sentAt: number, now: number): string {
  return `Sent ${sentText(sentAt, now)} without an answer. It may already exist.`;
}

const mostServices = 8;

function servicesFact({ services }: SdlSummary): ConfirmFact {
  const [first = 'none', ...rest] = services.slice(0, mostServices).map(serviceText);
  const others = services.length - mostServices;
  return {
    label: 'Services',
    values: [first, ...rest, ...(others > 0 ? [`and ${others} more`] : [])],
  };
}

function serviceText({ name, count, cpu, memory }: SdlSummary['services'][number]): string {
  return [
    name,
    // A count of 0 means that the number of instances can't be read.
    count === 0 ? '' : `${count} ${count === 1 ? 'instance' : 'instances'}`,
    cpu === undefined ? '' : `${cpu} CPU`,
    memory === undefined ? '' : formatMemory(memory),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

const hoursOfDay = 24n;

function costText(pricePerHour: string | undefined): string {
  const hourly = parseDecimal(pricePerHour ?? '');
  if (hourly === undefined) return 'unknown';
  return `${formatDecimal(hourly)} an hour, ${formatDecimal(hourly * hoursOfDay)} a day`;
}

const mostProblems = 3;

/** Lists warnings apart from problems, because the service doesn't refuse them. */
function problemLines(problems: readonly TextProblem[]): readonly string[] {
  const errors = problems.filter(({ isWarning }) => isWarning !== true);
  const warnings = problems.filter(({ isWarning }) => isWarning === true);
  return [
    ...(errors.length === 0
      ? []
      : [problemsText(errors, 'problem', '; the service may refuse it')]),
    ...(warnings.length === 0 ? [] : [problemsText(warnings, 'warning', '')]),
  ];
}

function problemsText(problems: readonly TextProblem[], word: string, effect: string): string {
  const count = problems.length === 1 ? `1 ${word}` : `${problems.length} ${word}s`;
  const sentences = problems
    .slice(0, mostProblems)
    .map(({ line, sentence }) => `Line ${line}: ${sentence}`);
  const more = problems.length - mostProblems;
  return [`${count}${effect}.`, ...sentences, ...(more > 0 ? [`${more} more.`] : [])].join(' ');
}

const mostGrants = 3;

/** Lists the grants that pay, in order. Addresses stay complete because money moves. */
function payerFacts({ grants }: Payers, creation: Creation): readonly ConfirmFact[] {
  const balance = 'your own balance; the service does not show it';
  const facts = grants.slice(0, mostGrants).map((grant, index) => ({
    label: index === 0 ? 'Payer' : 'Then',
    values: [
      `a grant, ${remainingText(grant)}, from`,
      grantorText(grant, creation.addressBook),
      ...endingTexts(grant, creation),
    ] as const,
  }));
  const more = grants.length - mostGrants;
  return [
    ...facts,
    ...(more > 0 ? [{ label: 'Then', values: [`${more} more`] } as const] : []),
    { label: facts.length === 0 ? 'Payer' : 'Then', values: [balance] },
  ];
}

function grantorText({ grantor }: Grant, addressBook: AddressBook): string {
  const name = addressName(addressBook, grantor);
  return name === undefined ? grantor : `${name} ${grantor}`;
}

/**
 * Returns how long a grant lasts at its rate with the new deployment, and at its rate so far. An
 * unknown rate leaves out other deployments, and an earlier expiry comes instead.
 */
function endingTexts(
  grant: Grant,
  { definition, rateOf, serviceNow }: Creation,
): readonly string[] {
  const expires = Date.parse(grant.expires_at);
  const rate = rateOf(grant.id);
  const left = Math.max(0, grant.limit - grant.spent);
  const total = (rate ?? 0) + Number(definition?.pricePerHour ?? 0);
  const lasts = left / total;
  if (Number.isNaN(expires)) return [];
  if (total === 0 || serviceNow + lasts * hour >= expires) {
    return [`until ${utcText(expires)} (${formatAge(expires - serviceNow)})`];
  }
  if (definition?.pricePerHour === undefined) return [`lasts ${formatHours(lasts)} without this`];
  const now = rate === undefined || rate === 0 ? '' : ` (${formatHours(left / rate)} without this)`;
  const most = rate === undefined ? 'at most ' : '';
  return [`lasts ${most}${formatHours(lasts)} at ${formatRate(total)}/h${now}`];
}

/** Milliseconds of an hour. */
const hour = 3_600_000;
