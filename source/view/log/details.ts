import { cursorIndex } from '../../store/lists/cursor.ts';
import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { stripSilentCodes } from '../../tail/silent-codes.ts';
import type { Entry, GapEntry } from '../../tail/arena/entries.ts';
import { colouredLine } from '../text/coloured-line.ts';
import {
  type DetailRow,
  field,
  heading,
  optional,
  textRows,
  valueIn,
} from '../text/detail-rows.ts';
import { jsonInLine, type JsonInLine } from '../text/json-in-line.ts';
import { plain, span } from '../text/line.ts';
import { codeRows, namesCode } from './code-rows.ts';
import { canRefetchGap } from './gap.ts';
import { type LineSubject, lineSubject } from './line-subject.ts';
import { logCursor } from './place.ts';
import { cursorEntry } from './range.ts';
import { levelToken } from './rows/line.ts';
import { instantTexts } from '../text/instant.ts';
import type { HighlightedLines } from '../../editor/coloured-lines.ts';
import { gapSentence } from '../../tail/arena/gap.ts';
import { lineLevel } from '../../tail/level.ts';
import type { FilesPlace } from '../../store/files/files.ts';
import type { LogLine } from '../../contract/logs.ts';

/** Opens the details of the line under the cursor, or of the newest line while following. */
export function openLine(deck: Pick<Deck, 'screen' | 'opened'>): void {
  const { id: deploymentId = '', tail } = deck.opened.getState();
  const chosen = tail === undefined ? undefined : cursorEntry(tail);
  if (tail === undefined || chosen === undefined) return;
  deck.screen.view.open(lineSubject(tail, chosen, deploymentId));
}

/** Returns the subject with its current entry, because a gap shrinks while it is filled. */
function lineNow(deck: Pick<Deck, 'opened'>, subject: LineSubject): LineSubject {
  const { entry } = subject;
  const { tail } = deck.opened.getState();
  const cursor = tail === undefined ? undefined : logCursor(tail);
  if (entry.kind !== 'gap' || tail === undefined || cursor === undefined) return subject;
  const now = tail.entries.at(tail.entries.indexOf(cursor));
  return now?.kind === 'gap' && now.member === entry.member ? { ...subject, entry: now } : subject;
}

/** Returns the id of the deployment that wrote the line. */
function deploymentOf({ entry, deploymentId }: LineSubject): string {
  return (entry.kind === 'line' ? entry.line.deploymentId : undefined) ?? deploymentId;
}

/** Returns the service that wrote a line whose trace names places in code; undefined for other lines. */
export function serviceOf(subject: LineSubject): FilesPlace | undefined {
  const { entry } = subject;
  if (entry.kind === 'gap') return undefined;
  const { serviceName } = entry.line;
  if (serviceName === undefined || !namesCode(subject)) return undefined;
  return { deploymentId: deploymentOf(subject), service: serviceName };
}

/** Returns the indented JSON of the line, which is highlighted; undefined without JSON. */
export function lineToColour({ entry }: LineSubject): string | undefined {
  const json = entry.kind === 'line' ? cachedJson(entry) : undefined;
  return json?.kind === 'json' ? json.indented : undefined;
}

interface CachedRows {
  readonly name: string;
  readonly colours: HighlightedLines | undefined;
  readonly paths: readonly string[] | undefined;
  readonly rows: readonly DetailRow[];
}

/** Caches rows, because one key reads them several times. */
const rowCache = new WeakMap<Entry<LogLine>, CachedRows>();

/**
 * Returns the detail rows of a line or gap.
 * @param name display name of the deployment.
 * @param colours highlighting of the text that {@link lineToColour} returns.
 * @param paths of the files of the service, see {@link serviceOf}.
 */
export function lineDetails(
  subject: LineSubject,
  name: string,
  colours: HighlightedLines | undefined,
  paths?: readonly string[],
): readonly DetailRow[] {
  const { entry } = subject;
  const cached = rowCache.get(entry);
  if (
    cached !== undefined &&
    cached.colours === colours &&
    cached.paths === paths &&
    cached.name === name
  ) {
    return cached.rows;
  }
  const rows =
    entry.kind === 'gap'
      ? gapRows(entry)
      : [
          ...codeRows(subject, serviceOf(subject), paths),
          ...lineRows(entry.line, deploymentRow(deploymentOf(subject), name), {
            json: cachedJson(entry),
            colours,
          }),
        ];
  rowCache.set(entry, { name, colours, paths, rows });
  return rows;
}

/** Returns the detail rows of a line or gap as they are now. */
export function lineDetailsNow(
  deck: Pick<Deck, 'deployments' | 'files' | 'opened' | 'colours'>,
  subject: LineSubject,
): readonly DetailRow[] {
  const service = serviceOf(subject);
  return lineDetails(
    lineNow(deck, subject),
    deck.deployments.label(deploymentOf(subject)),
    deck.colours.state.getState().get(lineToColour(subject) ?? ''),
    service && deck.files.ofServices.paths(service),
  );
}

/** Returns the place in code under the cursor of a line's details. */
export function codeUnderCursor(
  deck: Pick<Deck, 'screen' | 'deployments' | 'files' | 'opened' | 'colours'>,
): DetailRow['code'] {
  const { main, detailCursor } = deck.screen.getState();
  if (main.kind !== 'line') return undefined;
  const rows = lineDetailsNow(deck, main);
  const keys = rows.map(({ key }) => key);
  return rows[cursorIndex(keys, detailCursor)]?.code;
}

function deploymentRow(id: string, name: string): DetailRow {
  return field('deployment', id, name === '' || name === id ? id : `${name}  ${id}`);
}

function lineRows(
  line: LogLine,
  deployment: DetailRow,
  { json, colours }: { readonly json: JsonInLine; readonly colours: HighlightedLines | undefined },
): readonly DetailRow[] {
  const { id, serviceName, instance, stream, timestamp, logLine } = line;
  const level = lineLevel(logLine);
  return [
    ...optional('id', id === undefined ? undefined : String(id)),
    ...timeRows(timestamp),
    ...optional('service', serviceName),
    ...optional('instance', instance === undefined ? undefined : String(instance)),
    ...optional('stream', stream),
    deployment,
    ...(level === undefined
      ? []
      : [field('level', level, `${level}, read from the text`, levelToken(logLine))]),
    ...jsonRows(json, colours),
    ...logTextRows(logLine),
  ];
}

function timeRows(timestamp: string | undefined): readonly DetailRow[] {
  if (timestamp === undefined) return [];
  const times = instantTexts(timestamp);
  if (times === undefined) return [field('time', timestamp)];
  const received = times.utc === timestamp ? [] : [field('time', timestamp)];
  return [...received, field('UTC', times.utc), field('here', times.local)];
}

/** Most rows of indented JSON; a text of only brackets would have a row for each. */
const maxJsonRows = 5000;

function jsonRows(json: JsonInLine, colours: HighlightedLines | undefined): readonly DetailRow[] {
  if (json.kind === 'none') return [];
  if (json.kind === 'too-long') return [noteRow('json', 'Too long to show as JSON.')];
  const lines = json.indented.split('\n');
  const rest = lines.length - maxJsonRows;
  return [
    ...heading('json', json.text),
    ...textRows(
      'json',
      lines.slice(0, maxJsonRows),
      json.text,
      (text, index) => colouredLine(text, colours?.[index], '  '),
      valueIn,
    ),
    ...(rest > 0
      ? [
          noteRow(
            'json rest',
            `${rest} more lines. ${keyName('details.copy-field', 'Y')} copies all.`,
            json.text,
          ),
        ]
      : []),
  ];
}

function noteRow(key: string, text: string, whole?: string): DetailRow {
  return { key: `note ${key}`, line: [span(text, 'quiet')], whole };
}

/** Characters in a row, so that a wrapped row fits a small screen. */
const maxRowLength = 1024;

/** Returns the received text as rows that the cursor can step through. */
function logTextRows(text: string): readonly DetailRow[] {
  const lines = text.split('\n').flatMap(splitText);
  return [...heading('text', text), ...textRows('text', lines, text, plain)];
}

function splitText(line: string): readonly string[] {
  const all: string[] = [];
  let from = 0;
  while (line.length - from > maxRowLength) {
    // A row must not split a surrogate pair.
    const isCut = /[\uD800-\uDBFF]/.test(line.charAt(from + maxRowLength - 1));
    const to = from + maxRowLength - (isCut ? 1 : 0);
    all.push(line.slice(from, to));
    from = to;
  }
  return [...all, line.slice(from)];
}

const reasons = {
  unanswered: 'The service did not answer, or its pages do not show these lines.',
  gone: 'The service no longer has these lines.',
  unclear:
    'The service numbers no lines. Its pages show the known ones nowhere, or at more than one place.',
  renumbered: 'The service began a new numbering here. No line need be missing.',
  unread: 'Older lines were wanted first. Moving here reads them.',
  dropped: 'They were dropped because memory is full. --log-lines keeps more.',
} as const;

function gapRows(gap: GapEntry<LogLine>): readonly DetailRow[] {
  const { state, after, until } = gap;
  const sentence = gapSentence(gap).replace(/^gap: /, '');
  const summary = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  const retryHint = canRefetchGap(gap)
    ? `${keyName('log.fill-gaps', 'R')} fetches them again.`
    : '';
  return [
    {
      key: 'summary',
      line: [span(summary, state.kind === 'missing' ? 'bad' : 'busy')],
      value: summary,
    },
    ...(state.kind === 'missing' ? [noteRow('why', reasons[state.why])] : []),
    ...(retryHint === '' ? [] : [noteRow('retry', retryHint)]),
    ...(after === undefined
      ? []
      : [...heading('line before', after.logLine), edgeRow('after', after)]),
    ...heading('line after', until.logLine),
    edgeRow('until', until),
  ];
}

/** Returns the row for the line before or after a gap. */
function edgeRow(key: string, { id, timestamp, serviceName, logLine }: LogLine): DetailRow {
  const head = [id === undefined ? '' : String(id), timestamp ?? '', serviceName ?? '']
    .filter((part) => part !== '')
    .join(' ');
  return {
    key: `edge ${key}`,
    line: [span(`${head}  `, 'info'), span(logLine.slice(0, maxRowLength))],
    value: logLine,
  };
}

const jsonCache = new WeakMap<Entry<LogLine>, JsonInLine>();

function cachedJson(entry: Extract<Entry<LogLine>, { kind: 'line' }>): JsonInLine {
  const before = jsonCache.get(entry);
  if (before !== undefined) return before;
  const json = jsonInLine(stripSilentCodes(entry.line.logLine));
  jsonCache.set(entry, json);
  return json;
}
