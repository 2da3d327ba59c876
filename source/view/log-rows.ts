import { levelOf, type LogLine } from '../store/log-view.ts';
import type { LogTimes } from '../store/screen.ts';
import { sanitizeColoured } from '../terminal/sgr.ts';
import { formatAge } from './age.ts';
import { column } from './fit.ts';
import { type Line, type Span, span } from './line.ts';
import { type LogMember, memberSpans } from './log-members.ts';
import type { Style, Token } from './theme.ts';

/** How the lines of a log are drawn. */
export interface LogStyle {
  readonly times: LogTimes;
  /** Cells of the service column; 0 hides it. */
  readonly serviceWidth: number;
  /** The deployments that are told apart; none where there is only one. */
  readonly members?: readonly LogMember[] | undefined;
  /** Time in ms that relative times count from. */
  readonly now: number;
}

const widestService = 16;

/** Width of the service column: the longest name and a space, within reason. */
export function serviceColumn(names: Iterable<string>): number {
  let longest = 0;
  for (const name of names) longest = Math.max(longest, Math.min(name.length, widestService));
  return longest === 0 ? 0 : longest + 1;
}

/** A line, and of several deployments the number of the one that wrote it. */
type MemberLine = LogLine & { readonly member?: number | undefined };

/**
 * A log line behind its gutter: time, deployment where there are several, service, text. Colours the
 * line brought are kept.
 */
export function logLine(line: MemberLine, style: LogStyle, cursor: boolean): Line {
  const time = timeText(line.timestamp, style.times, style.now);
  const service =
    style.serviceWidth === 0 ? '' : column(line.serviceName ?? '', style.serviceWidth);
  const head = `${cursor ? '>' : ' '}${time === '' ? '' : `${time} `}`;
  return [
    span(head, 'info'),
    ...memberSpans(style.members ?? [], line.member),
    span(service, line.stream === 'system' ? 'quiet' : 'info'),
    ...colouredSpans(line),
  ];
}

function colouredSpans(line: LogLine): readonly Span[] {
  const token = line.stream === 'system' ? 'quiet' : levelToken(line.logLine);
  return sanitizeColoured(line.logLine).map(({ text, style }) => {
    const { dim, ...rest } = style;
    const own: Style = dim === true ? { ...rest, dimColor: true } : rest;
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
function timeText(timestamp: string | undefined, times: LogTimes, now: number): string {
  if (timestamp === undefined || times === 'off') return '';
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return timestamp;
  switch (times) {
    case 'full':
      return timestamp;
    case 'relative':
      return formatAge(now - at).padStart(4);
    case 'time': {
      const date = new Date(at);
      const pad = (value: number, digits: number) => String(value).padStart(digits, '0');
      return `${pad(date.getHours(), 2)}:${pad(date.getMinutes(), 2)}:${pad(date.getSeconds(), 2)}.${pad(date.getMilliseconds(), 3)}`;
    }
  }
}
