import { eventStream } from '../../../contract/event-lines.ts';
import {
  type LogTimeFormat,
  timeBetweenText,
  timeOfDayText,
  dateTimeText,
} from '../../../store/log/times.ts';
import type { LineMatcher, TextSpan } from '../../../tail/query/log-query.ts';
import { padCells, truncateCells } from '../../../terminal/screen/cells.ts';
import { sanitize } from '../../../terminal/screen/sanitize.ts';
import { sanitizeColoured } from '../../../terminal/screen/coloured-text.ts';
import { formatAge } from '../../../store/time/age.ts';
import { column } from '../../text/fit.ts';
import { jsonRecord } from '../../text/json-record.ts';
import { type Line, span } from '../../text/line.ts';
import { type LogMember, memberSpans } from '../members.ts';
import type { Token } from '../../text/theme.ts';
import { isRoutine, levelOf } from '../../../tail/level.ts';
import { silentCodes, stripSilentCodes } from '../../../tail/silent-codes.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { CodeUnderlines } from './code-underlines.ts';
import type { ColumnLayout } from './column-layout.ts';

/** The style in which the lines of a log are drawn. */
export interface LogStyle {
  readonly times: LogTimeFormat;
  /** Cells of the service column; 0 hides it. */
  readonly serviceWidth: number;
  /** Cells after the service for the instance number. */
  readonly instanceWidth?: number | undefined;
  /** The deployments of a joined log. */
  readonly members?: readonly LogMember[] | undefined;
  /** Time in ms since the epoch that relative times refer to. */
  readonly now: number;
  /** The search whose matches are highlighted. */
  readonly search?: LineMatcher | undefined;
  /** Underlines the places in files of the services. */
  readonly code?: CodeUnderlines | undefined;
  /** Draws chosen fields as columns. */
  readonly columns?: ColumnLayout | undefined;
  /** The version of the columns that the rows were drawn with. */
  readonly columnsVersion?: number | undefined;
}

const maxServiceWidth = 16;

/** Returns the width of the service column: the longest name, cut to 16 cells, and a space. */
export function serviceColumnWidth(names: Iterable<string>): number {
  let longest = 0;
  for (const name of names) longest = Math.max(longest, Math.min(name.length, maxServiceWidth));
  return longest === 0 ? 0 : longest + 1;
}

/** Signs in the gutter of a line; the cursor covers a mark. */
export interface Gutter {
  readonly hasCursor: boolean;
  readonly hasMark: boolean;
  /** Lines that the row stands for; 1 by default. */
  readonly lines?: number;
  /** Timestamp of the line before, for the time between lines. */
  readonly before?: string | undefined;
}

export const emptyGutter: Gutter = { hasCursor: false, hasMark: false };

/** A line with the index of its deployment in a joined log. */
export type MemberLine = LogLine & { readonly member?: number | undefined };

/**
 * Returns a log line as gutter, time, deployment (in a joined log), service and text. ANSI colours
 * of the text are preserved.
 */
export function logLine(line: MemberLine, style: LogStyle, gutter: Gutter): Line {
  return [...prefixSpans(line, style, gutter), ...textSpans(line, style)];
}

/** Returns the columns before the text, which don't scroll horizontally. */
export function prefixSpans(
  line: MemberLine,
  style: LogStyle,
  { hasCursor, hasMark, lines = 1, before }: Gutter,
): Line {
  const time =
    style.times === 'between'
      ? betweenText(before, line.timestamp)
      : timeText(line.timestamp, style.times, style.now);
  const service = style.serviceWidth === 0 ? '' : serviceText(line, style);
  return [
    span(hasCursor ? '>' : hasMark ? '*' : ' ', hasMark ? 'mark' : 'info'),
    span(time === '' ? '' : `${time} `, 'info'),
    ...memberSpans(style.members ?? [], line.member),
    span(service, line.stream === eventStream ? 'quiet' : 'info'),
    ...(lines > 1 ? [span(`x ${lines} `, 'busy')] : []),
  ];
}

/** Returns the service column; a long name is cut to make room for the instance number. */
function serviceText({ serviceName = '', instance }: MemberLine, style: LogStyle): string {
  const { serviceWidth, instanceWidth = 0 } = style;
  if (instance === undefined) return column(serviceName, serviceWidth + instanceWidth);
  const name = truncateCells(sanitize(serviceName), serviceWidth - 1);
  return padCells(`${name} ${instance}`, serviceWidth + instanceWidth);
}

/** Returns the cells for an instance number and a space, or 0 without an instance. */
export function instanceColumnWidth({ instance }: LogLine): number {
  return instance === undefined ? 0 : String(instance).length + 1;
}

/** Returns the text of a line in its own colours, with search matches highlighted. */
function textSpans(line: LogLine, { search }: LogStyle): Line {
  return colouredSpans(line.logLine, search?.spans(line.logLine) ?? [], lineToken(line));
}

/**
 * Returns a text in its own colours, with marked ranges highlighted.
 * @param token colour of the level, for text without colours.
 * @param column cells of the line before the text.
 */
export function colouredSpans(
  text: string,
  marks: readonly TextSpan[],
  token: Token | undefined,
  column = 0,
): Line {
  return sanitizeColoured(text, silentCodes(text), { marks, column }).map((part) => {
    if (part.isMarked === true) return { text: part.text, token: 'match' };
    const { strikethrough: _, ...own } = part.style;
    // The guessed level colours only text without ANSI colours.
    return Object.keys(part.style).length > 0
      ? { text: part.text, style: own }
      : { text: part.text, token };
  });
}

/** Characters in which a record starts, behind silent codes. */
const recordStart = 256;

/** Returns a JSON record as its level, its message and its other fields; undefined for other texts. */
export function recordSpans(line: LogLine, { search }: LogStyle): Line | undefined {
  // Most lines are no records, and need no search for matches here.
  if (!stripSilentCodes(line.logLine.slice(0, recordStart)).startsWith('{')) return undefined;
  const text = stripSilentCodes(line.logLine);
  const marks = search?.spans(text) ?? [];
  return jsonRecord(text, marks, lineToken(line), line.timestamp !== undefined);
}

/** Returns the chosen columns of a line; undefined for a line without any of the fields. */
export function columnSpans(line: LogLine, { columns }: LogStyle): Line | undefined {
  return columns?.of(stripSilentCodes(line.logLine), lineToken(line));
}

/** Returns the colour of a line: of its level, or quiet for routine lines and those of the host. */
export function lineToken({ logLine: text, stream }: LogLine): Token | undefined {
  const token = levelToken(text);
  if (token !== undefined) return token;
  return stream === eventStream || isRoutine(text) ? 'quiet' : undefined;
}

const levelTokens = { error: 'bad', warn: 'busy' } as const;

/** Returns the colour of the level detected in a text, or undefined without one. */
export function levelToken(text: string): Token | undefined {
  const level = levelOf(text);
  return level === undefined ? undefined : levelTokens[level];
}

/** Cells of the longest usual time between lines. */
const betweenWidth = 7;

/** Returns the time since the line before in a column; blanks where one of the times is unknown. */
function betweenText(before: string | undefined, timestamp: string | undefined): string {
  const milliseconds = Date.parse(timestamp ?? '') - Date.parse(before ?? '');
  const text = Number.isNaN(milliseconds) ? '' : timeBetweenText(milliseconds);
  return text.padStart(betweenWidth);
}

/** Formats a timestamp; an unparsable one is returned unchanged. */
function timeText(
  timestamp: string | undefined,
  times: Exclude<LogTimeFormat, 'between'>,
  now: number,
): string {
  if (timestamp === undefined || times === 'off') return '';
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return timestamp;
  switch (times) {
    case 'full':
      return dateTimeText(at, false);
    case 'full-utc':
      // A UTC timestamp of the service may be more precise than milliseconds.
      return timestamp.endsWith('Z') ? timestamp : dateTimeText(at, true);
    case 'relative':
      return formatAge(now - at).padStart(4);
    case 'time':
    case 'time-utc':
      return timeOfDayText(at, times === 'time-utc');
  }
}
