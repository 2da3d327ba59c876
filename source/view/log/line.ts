import { levelOf, type LogLine } from '../../store/log/reader/view.ts';
import { type LogTimeFormat, timeOfDayText, dateTimeText } from '../../store/log/times.ts';
import type { LineMatcher } from '../../tail/query/log-query.ts';
import { padCells, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { sanitizeColoured } from '../../terminal/screen/coloured-text.ts';
import { formatAge } from '../text/age.ts';
import { column } from '../text/fit.ts';
import { type Line, type Span, span } from '../text/line.ts';
import { type LogMember, memberSpans } from './members.ts';
import type { Token } from '../text/theme.ts';

/** How the lines of a log are drawn. */
export interface LogStyle {
  readonly times: LogTimeFormat;
  /** Cells of the service column; 0 hides it. */
  readonly serviceWidth: number;
  /** Cells behind it for the number of the instance. */
  readonly instanceWidth?: number | undefined;
  /** The deployments that are told apart; none where there is only one. */
  readonly members?: readonly LogMember[] | undefined;
  /** Time in ms that relative times count from. */
  readonly now: number;
  /** What is searched for: it is marked. */
  readonly search?: LineMatcher | undefined;
}

const widestService = 16;

/** Width of the service column: the longest name and a space, within reason. */
export function serviceColumn(names: Iterable<string>): number {
  let longest = 0;
  for (const name of names) longest = Math.max(longest, Math.min(name.length, widestService));
  return longest === 0 ? 0 : longest + 1;
}

/** What stands before a line: the cursor covers a mark. */
export interface Gutter {
  readonly cursor: boolean;
  readonly mark: boolean;
}

export const emptyGutter: Gutter = { cursor: false, mark: false };

/** A line, and of several deployments the number of the one that wrote it. */
export type MemberLine = LogLine & { readonly member?: number | undefined };

/**
 * A log line behind its gutter: time, deployment where there are several, service, text. Colours the
 * line brought are kept.
 */
export function logLine(line: MemberLine, style: LogStyle, gutter: Gutter): Line {
  return [...headSpans(line, style, gutter), ...textSpans(line, style)];
}

/** What stands before the text of a line, and stays where that is moved sideways. */
export function headSpans(line: MemberLine, style: LogStyle, { cursor, mark }: Gutter): Line {
  const time = timeText(line.timestamp, style.times, style.now);
  const service = style.serviceWidth === 0 ? '' : serviceText(line, style);
  return [
    span(cursor ? '>' : mark ? '*' : ' ', mark ? 'mark' : 'info'),
    span(time === '' ? '' : `${time} `, 'info'),
    ...memberSpans(style.members ?? [], line.member),
    span(service, line.stream === 'system' ? 'quiet' : 'info'),
  ];
}

/** A name that is too long gives way to the number behind it. */
function serviceText({ serviceName = '', instance }: MemberLine, style: LogStyle): string {
  const { serviceWidth, instanceWidth = 0 } = style;
  if (instance === undefined) return column(serviceName, serviceWidth + instanceWidth);
  const name = truncateCells(sanitize(serviceName), serviceWidth - 1);
  return padCells(`${name} ${instance}`, serviceWidth + instanceWidth);
}

/** Cells for the number of an instance and a space; none for a line without. */
export function instanceCells({ instance }: LogLine): number {
  return instance === undefined ? 0 : String(instance).length + 1;
}

/** The text of a line in its own colours, with what is searched for marked. */
export function textSpans(line: LogLine, style: LogStyle): Line {
  return colouredSpans(line, style.search);
}

function colouredSpans(line: LogLine, search: LineMatcher | undefined): readonly Span[] {
  const token = line.stream === 'system' ? 'quiet' : levelToken(line.logLine);
  const marks = search?.spans(line.logLine) ?? [];
  return sanitizeColoured(line.logLine, { marks }).map(({ text, style, isMarked }) => {
    if (isMarked === true) return { text, token: 'match' };
    // Strikethrough is not shown.
    const { strikethrough: _, ...own } = style;
    // A line that brings colours keeps them; the guessed level colours only plain ones.
    return Object.keys(style).length > 0 ? { text, style: own } : { text, token };
  });
}

const levelTokens = { error: 'bad', warn: 'busy' } as const;

/** Colour for the level that a line seems to have; plain when it shows none. */
export function levelToken(text: string): Token | undefined {
  const level = levelOf(text);
  return level === undefined ? undefined : levelTokens[level];
}

/** Time of day, whole timestamp, age or nothing; a timestamp that cannot be read stays as it is. */
function timeText(timestamp: string | undefined, times: LogTimeFormat, now: number): string {
  if (timestamp === undefined || times === 'off') return '';
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return timestamp;
  switch (times) {
    case 'full':
      return dateTimeText(at, false);
    case 'full-utc':
      // Services write UTC, perhaps in smaller parts of a second than we would.
      return timestamp.endsWith('Z') ? timestamp : dateTimeText(at, true);
    case 'relative':
      return formatAge(now - at).padStart(4);
    case 'time':
    case 'time-utc':
      return timeOfDayText(at, times === 'time-utc');
  }
}
