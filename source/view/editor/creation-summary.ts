import { type AddressBook, addressName } from '../../store/grants/address-book.ts';
import type { TextProblem } from '../../editor/problems.ts';
import type { SdlSummary } from '../../store/editor/editor.ts';
import { utcText } from '../../store/grants/expiry.ts';
import type { Grant } from '../../store/grants/grants.ts';
import { remainingText, type Payers } from '../../store/grants/payers.ts';
import { truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { formatAge } from '../text/age.ts';
import { sentText } from '../text/unfinished.ts';

/** What is known of a deployment that is to be created. */
export interface Creation {
  /** Undefined where the definition is too long to be looked through. */
  readonly reading: SdlSummary | undefined;
  readonly problems: readonly TextProblem[];
  /** Undefined where it cannot be told who pays. */
  readonly payers: Payers | undefined;
  /** Names of who pays. */
  readonly book: AddressBook;
  /** When it was sent without an answer. */
  readonly sentAt: number | undefined;
  /** Ms since the epoch, by the clock here. */
  readonly now: number;
  /** Ms since the epoch, by the clock of the service. */
  readonly serviceNow: number;
}

/** Cells of a name that the upper edge has room for. */
const longestName = 36;

/** `create shop?`, for the upper edge of the box. */
export function creationTitle({ reading }: Creation): string {
  if (reading?.name === undefined) return 'create a deployment?';
  return `create ${truncateCells(sanitize(reading.name), longestName)}?`;
}

/** What the box says before anything is sent. Texts of the definition are unsanitised. */
export function creationLines(creation: Creation): readonly string[] {
  const { reading, problems, payers, sentAt, now } = creation;
  return [
    ...(sentAt === undefined ? [] : [sentLine(sentAt, now)]),
    reading === undefined ? 'It is too long to be looked through here.' : servicesText(reading),
    reading?.pricePerHour === undefined
      ? 'Its price is not known here.'
      : `Price: ${reading.pricePerHour} an hour.`,
    ...problemLines(problems),
    ...(payers === undefined ? ['Who pays is not known here.'] : payerLines(payers, creation)),
  ];
}

function sentLine(sentAt: number, now: number): string {
  return `Sent ${sentText(sentAt, now)}, no answer came: sent again, it may be there twice.`;
}

const mostServices = 8;

function servicesText({ services }: SdlSummary): string {
  if (services.length === 0) return 'It names no services.';
  // None is where their number cannot be read.
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

/** Warnings by themselves: nothing is refused for them. */
function problemLines(problems: readonly TextProblem[]): readonly string[] {
  const mistakes = problems.filter(({ isWarning }) => isWarning !== true);
  const warnings = problems.filter(({ isWarning }) => isWarning === true);
  return [
    ...(mistakes.length === 0
      ? []
      : [`${problemsText(mistakes, 'problem')}; the service may refuse it.`]),
    ...(warnings.length === 0 ? [] : [`${problemsText(warnings, 'warning')}.`]),
  ];
}

function problemsText(problems: readonly TextProblem[], word: string): string {
  const count = problems.length === 1 ? `1 ${word}` : `${problems.length} ${word}s`;
  const named = problems
    .slice(0, mostProblems)
    .map(({ line, sentence }) => `line ${line}: ${sentence.replace(/\.$/, '')}`);
  const more = problems.length > mostProblems ? ['and more'] : [];
  return `${count}: ${[...named, ...more].join('; ')}`;
}

const mostGrants = 3;

/** Addresses are whole: money moves. */
function payerLines(
  { grants }: Payers,
  { serviceNow, book }: Pick<Creation, 'serviceNow' | 'book'>,
): readonly string[] {
  if (grants.length === 0) return ['Paid from your own balance.'];
  const named = grants
    .slice(0, mostGrants)
    .flatMap((grant) => [`  ${grantorText(grant, book)}`, `    ${grantText(grant, serviceNow)}`]);
  const more = grants.length - mostGrants;
  return [
    grants.length === 1 ? 'Paid from a grant of' : 'Paid from grants, in this order:',
    ...named,
    ...(more > 0 ? [`  and ${more} more`] : []),
    'then from your own balance.',
  ];
}

function grantorText({ grantor }: Grant, book: AddressBook): string {
  const name = addressName(book, grantor);
  return name === undefined ? grantor : `${name} ${grantor}`;
}

function grantText(grant: Grant, serviceNow: number): string {
  const { expires_at: until } = grant;
  const end = Date.parse(until);
  const left = remainingText(grant);
  if (Number.isNaN(end)) return `${left}, until ${until}`;
  return `${left}, until ${utcText(end)} (${formatAge(end - serviceNow)})`;
}
