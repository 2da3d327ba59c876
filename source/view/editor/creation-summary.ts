import { type AddressBook, addressName } from '../../store/grants/address-book.ts';
import type { TextProblem } from '../../editor/problems.ts';
import { utcText } from '../../store/grants/expiry.ts';
import { remainingText, type Payers } from '../../store/grants/payers.ts';
import { truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { formatAge } from '../text/age.ts';
import { sentText } from '../text/unfinished.ts';
import type { SdlSummary } from '../../contract/sdl/reading.ts';
import type { Grant } from '../../contract/grants.ts';

/** Facts about a deployment before its creation. */
export interface Creation {
  /** Undefined when the definition is too long to be parsed. */
  readonly definition: SdlSummary | undefined;
  readonly problems: readonly TextProblem[];
  /** Undefined while the payers are unknown. */
  readonly payers: Payers | undefined;
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
export function creationLines(creation: Creation): readonly string[] {
  const { definition, problems, payers, sentAt, now } = creation;
  return [
    ...(sentAt === undefined ? [] : [sentLine(sentAt, now)]),
    definition === undefined
      ? 'The definition is too long to be checked.'
      : servicesText(definition),
    definition?.pricePerHour === undefined
      ? 'Price: unknown.'
      : `Price: ${definition.pricePerHour} an hour.`,
    ...problemLines(problems),
    ...(payers === undefined ? ['Payer: unknown.'] : payerLines(payers, creation)),
  ];
}

function sentLine(sentAt: number, now: number): string {
  return `Sent ${sentText(sentAt, now)} without an answer. It may already exist.`;
}

const mostServices = 8;

function servicesText({ services }: SdlSummary): string {
  if (services.length === 0) return 'No services.';
  // A count of 0 means that the number of instances can't be read.
  const each = services
    .slice(0, mostServices)
    .map(({ name, count }) =>
      count === 0 ? name : `${name} (${count} ${count === 1 ? 'instance' : 'instances'})`,
    );
  const others = services.length - mostServices;
  const more = others > 0 ? ` and ${others} more` : '';
  return `${services.length === 1 ? 'Service' : 'Services'}: ${each.join(', ')}${more}.`;
}

const mostProblems = 3;

/** Lists warnings apart from problems, because the service doesn't refuse them. */
function problemLines(problems: readonly TextProblem[]): readonly string[] {
  const errors = problems.filter(({ isWarning }) => isWarning !== true);
  const warnings = problems.filter(({ isWarning }) => isWarning === true);
  return [
    ...(errors.length === 0
      ? []
      : [`${problemsText(errors, 'problem')}; the service may refuse it.`]),
    ...(warnings.length === 0 ? [] : [`${problemsText(warnings, 'warning')}.`]),
  ];
}

function problemsText(problems: readonly TextProblem[], word: string): string {
  const count = problems.length === 1 ? `1 ${word}` : `${problems.length} ${word}s`;
  const sentences = problems
    .slice(0, mostProblems)
    .map(({ line, sentence }) => `line ${line}: ${sentence.replace(/\.$/, '')}`);
  const more = problems.length > mostProblems ? ['and more'] : [];
  return `${count}: ${[...sentences, ...more].join('; ')}`;
}

const mostGrants = 3;

/** Lists the grants that pay. Addresses stay complete because money moves. */
function payerLines(
  { grants }: Payers,
  { serviceNow, addressBook }: Pick<Creation, 'serviceNow' | 'addressBook'>,
): readonly string[] {
  if (grants.length === 0) return ['Paid from your own balance.'];
  const lines = grants
    .slice(0, mostGrants)
    .flatMap((grant) => [
      `  ${grantorText(grant, addressBook)}`,
      `    ${grantText(grant, serviceNow)}`,
    ]);
  const more = grants.length - mostGrants;
  return [
    grants.length === 1 ? 'Paid from a grant of' : 'Paid from grants, in this order:',
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
    'then from your own balance.',
  ];
}

function grantorText({ grantor }: Grant, addressBook: AddressBook): string {
  const name = addressName(addressBook, grantor);
  return name === undefined ? grantor : `${name} ${grantor}`;
}

function grantText(grant: Grant, serviceNow: number): string {
  const { expires_at: until } = grant;
  const end = Date.parse(until);
  const left = remainingText(grant);
  if (Number.isNaN(end)) return `${left}, until ${until}`;
  return `${left}, until ${utcText(end)} (${formatAge(end - serviceNow)})`;
}
