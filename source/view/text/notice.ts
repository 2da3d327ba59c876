import { isLoopbackHost } from '../../contract/base-url.ts';
import { keyName } from '../../store/prompts/key-names.ts';
import { hostStartText, type Profile } from '../../store/deck/profile.ts';
import type { Listing } from '../../store/lists/listing.ts';
import type { ListPane } from '../../store/lists/list-panes.ts';
import { isAway } from '../../store/deck/polling.ts';
import { headOfLine, sliceLine, spansText, wrapWords } from './fit.ts';
import { type Line, plain, span } from './line.ts';
import type { ServiceError } from '../../client/http/errors.ts';

/** Milliseconds after which a pending request shows "Loading...". */
export const loadingShownAfter = 300;

export interface NoticeSentences {
  readonly empty: string;
  readonly unmatched: string;
  /** Says that the service leaves rows out of the list; undefined when it sent all. */
  readonly partial?: string | undefined;
}

/** Facts on which the notice depends besides the list. */
export interface ListNoticeContext {
  /** Milliseconds since the first request, when the list has no answer yet. */
  readonly waiting: number;
  /** The service, to name the source of a rejected token. */
  readonly service: NoticeService;
  /** True in the pane that explains a rejected token, which concerns all panes. */
  readonly isFocused: boolean;
  /** The pane of the list, whose key shows an answer that could not be read. */
  readonly pane: ListPane;
  readonly ellipsis: string;
}

/** Facts about the service that explain a rejected token, and a host that takes a while to start. */
export type NoticeService = Pick<Profile, 'name' | 'host' | 'tokenSource' | 'isHostNew'>;

/**
 * Returns what a pane says while its first request is pending; empty where it is not worth saying.
 * @param waiting milliseconds since the request.
 */
export function loadingText(
  { isHostNew }: Pick<Profile, 'isHostNew'>,
  waiting: number,
  ellipsis: string,
): string {
  if (isHostNew === true) return hostStartText(ellipsis);
  return waiting >= loadingShownAfter ? 'Loading...' : '';
}

/**
 * Returns the notice in place of a list's rows or below them; empty when none is needed. An
 * unreachable service has no notice, because row 1 and the message row report it.
 */
export function listNotice<T>(
  listing: Listing<T>,
  shown: number,
  sentences: NoticeSentences,
  { waiting, service, isFocused, pane, ellipsis }: ListNoticeContext,
): readonly Line[] {
  const partial: readonly Line[] =
    sentences.partial === undefined ? [] : [[span(sentences.partial, 'quiet')]];
  const { error, loadedAt, rows } = listing;
  if (error !== undefined && !isAway(error)) {
    return isFocused || !isTokenRejected(error) ? failureLines(error, service, pane) : [];
  }
  if (loadedAt === undefined) {
    const text =
      error === undefined
        ? loadingText(pane === 'deployments' ? service : {}, waiting, ellipsis)
        : '';
    return text === '' ? [] : [[span(text, 'quiet')]];
  }
  if (rows.length === 0) return [[span(sentences.empty, 'quiet')], ...partial];
  return shown === 0 ? [[span(sentences.unmatched, 'quiet')], ...partial] : partial;
}

/** Maximum cells of an error message, because a service may send a body of any length. */
const longestMessage = 2000;

/**
 * Wraps sentences into at most `most` rows of a pane, indented by one column. Where the rows are too
 * few, those without text are left out.
 */
export function noticeRows(lines: readonly Line[], width: number, most: number): readonly Line[] {
  const rows = lines.flatMap((line) => noticeLineRows(headOfLine(line, longestMessage), width));
  const shown = rows.length <= most ? rows : rows.filter((row) => spansText(row).trim() !== '');
  return shown.slice(0, Math.max(0, most));
}

/** Wraps a line; its further rows are indented as the first one. */
function noticeLineRows(line: Line, width: number): readonly Line[] {
  const indent = /^ */.exec(spansText(line))?.[0] ?? '';
  const text = indent === '' ? line : sliceLine(line, indent.length);
  return wrapWords(text, width - 1 - indent.length).map((row) => [span(` ${indent}`)].concat(row));
}

/** The command that makes a token of a host on this machine. */
const tokenCommand = 'hostdeck host token --wallet ADDRESS';

/** Returns whether the service rejects the token, so that nothing works until another one is set. */
export function isTokenRejected(error: ServiceError | undefined): boolean {
  return error?.code === 'unauthorized';
}

/**
 * Returns the notice of a pane without data when nothing can be fetched.
 * @param profile the service, and the source of its token.
 */
export function failureLines(
  error: ServiceError,
  { name, host, tokenSource }: NoticeService,
  pane?: ListPane,
): readonly Line[] {
  if (!isTokenRejected(error) || tokenSource === undefined) return errorLines(error, pane);
  const message = serviceMessage(error);
  const isLocal = isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? '');
  // Our own host names the command in its message.
  const isTold = message.some((line) => spansText(line).includes(tokenCommand));
  const tool = [plain(`${tokenCommand} makes one (local service)`)];
  const profile = name === host ? '' : `, profile ${name}`;
  const source = tokenSource === '' ? [] : [plain(`It came from ${tokenSource}${profile}.`)];
  return [
    plain(''),
    [span(error.sentence, 'bad')],
    ...source,
    ...message,
    plain(''),
    ...tokenSteps(),
    ...(isLocal && !isTold ? tool : []),
  ].map((line) => (spansText(line) === '' ? line : [span('  ')].concat(line)));
}

/** Returns the sentence of an error with the next step, then the service's own error message. */
export function errorLines(error: ServiceError, pane?: ListPane): readonly Line[] {
  const own = serviceMessage(error);
  if (isTokenRejected(error)) return [[span(error.sentence, 'bad')], ...tokenSteps(), ...own];
  const next = error.next === '' ? answerStep(error, pane) : error.next;
  return [[span(error.sentence, 'bad'), ...(next === '' ? [] : [span(` ${next}`)])], ...own];
}

/** Names the key that shows an answer that the list of a pane could not read; empty without one. */
function answerStep({ answer }: ServiceError, pane: ListPane | undefined): string {
  if (answer === undefined || pane === undefined) return '';
  return `${keyName(`${pane}.details`, 'd')} shows the answer.`;
}

function serviceMessage({ errorMessage }: ServiceError): readonly Line[] {
  return errorMessage === undefined ? [] : [[span(errorMessage, 'quiet')]];
}

/** Cells of the longest key in {@link tokenSteps}, with a gap. */
const stepWidth = 11;

function tokenSteps(): readonly Line[] {
  const steps = [
    [':token', 'enter another token'],
    [':profile', 'switch profile'],
    [keyName('app.refetch-anywhere', 'F5'), 'retry'],
  ] as const;
  return steps.map(([key, effect]) => [
    span(key, 'info'),
    span(`${' '.repeat(Math.max(1, stepWidth - key.length))}${effect}`),
  ]);
}

/** Returns the reason why an answer can't be decoded, then the raw answer. */
export function answerLines(error: ServiceError | undefined): readonly Line[] {
  if (error === undefined) return [plain('The list can be read now.')];
  return [error.sentence, '', ...(error.answer ?? '').split('\n')].map(plain);
}
