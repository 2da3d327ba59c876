import type { Profile } from '../../store/deck/deck.ts';
import type { Reach } from '../../store/lists/reach.ts';
import { shortAddress } from './address.ts';
import { formatWait } from './age.ts';
import { fillLine, lineWidth } from './fit.ts';
import { type Line, type Span, span } from './line.ts';
import type { Token } from './theme.ts';

/** How the log comes in. */
export interface LogStatus {
  readonly text: string;
  readonly token?: Token;
  /** How fast it came in during the last minute, where there is room. */
  readonly bars?: string | undefined;
}

/** The same, told without a drawing. */
export function withoutBars(log: LogStatus | undefined): LogStatus | undefined {
  return log && { ...log, bars: undefined };
}

/** What row 1 says, most important first. */
export interface Status {
  readonly profile: Profile;
  /** Replaces host and wallet in a full-screen view: what is shown there. */
  readonly subject: string | undefined;
  readonly reach: Reach;
  readonly restarts: readonly string[];
  /** Files with text that is not saved. */
  readonly drafts: number;
  /** The way to the terminal is slow. */
  readonly slowLink: boolean;
  readonly log: LogStatus | undefined;
  readonly now: number;
}

/**
 * Row 1 in `width` cells: who the console talks to on the left, what is going on at the right.
 * Where it does not fit, the host and the wallet go first (screens, rule 9).
 */
export function statusLine(status: Status, width: number): Line {
  const { profile } = status;
  const name = profileSpan(profile);
  const rest =
    status.subject === undefined
      ? [profile.host, profile.wallet === undefined ? '' : shortAddress(profile.wallet)]
      : [status.subject];
  const texts = rest.filter((part) => part !== '' && part !== profile.name);
  const whole = [name, ...texts.map((text) => span(` ${text}`))];
  const segments = statusSegments(status);
  const barred = withBars(segments, status.log);
  const right =
    width >= barsFrom && lineWidth(whole) + 1 + lineWidth(barred) <= width
      ? barred
      : fittingSegments(segments, width - lineWidth([name]) - 1);
  const room = width - lineWidth(right) - (right.length > 0 ? 1 : 0);
  let left: Line = [name];
  for (const text of texts) {
    const longer = [...left, span(` ${text}`)];
    if (lineWidth(longer) <= room) left = longer;
  }
  return [...fillLine(left, width - lineWidth(right), ' '), ...right];
}

export function profileSpan(profile: Profile): Span {
  return profile.production
    ? span(profile.name.toUpperCase(), 'prod')
    : span(profile.name, 'focus');
}

function statusSegments(status: Status): readonly Span[] {
  const { reach, now } = status;
  const segments: Span[] = [];
  if (reach.kind === 'away') {
    const wait = Math.max(0, Math.ceil((reach.nextTry - now) / 1000));
    const next = wait === 0 ? 'trying' : `next try ${wait}s`;
    segments.push(span(`AWAY ${formatWait(now - reach.since)}, ${next}`, 'bad'));
  }
  for (const text of status.restarts) segments.push(span(text, 'busy'));
  const { drafts } = status;
  if (drafts > 0) segments.push(span(drafts === 1 ? '1 draft' : `${drafts} drafts`, 'busy'));
  if (status.slowLink) segments.push(span('slow link', 'busy'));
  if (status.log !== undefined) segments.push(span(status.log.text, status.log.token));
  return segments;
}

/** Columns from which the rate of the log is drawn too. */
const barsFrom = 120;

/** All segments, the log's rate with its bars before it. */
function withBars(segments: readonly Span[], log: LogStatus | undefined): Line {
  const [last] = segments.slice(-1);
  if (log?.bars === undefined || last === undefined) return joinSegments(segments);
  const [before, rate] = [segments.slice(0, -1), [span(`${log.bars} `, 'quiet'), last]];
  return before.length === 0 ? rate : [...joinSegments(before), span(' | '), ...rate];
}

/** As many of the segments as fit, the most important ones first. */
function fittingSegments(segments: readonly Span[], room: number): Line {
  for (let count = segments.length; count > 1; count -= 1) {
    const line = joinSegments(segments.slice(0, count));
    if (lineWidth(line) <= room) return line;
  }
  return segments.slice(0, 1);
}

function joinSegments(segments: readonly Span[]): Line {
  return segments.flatMap((segment, index) => (index === 0 ? [segment] : [span(' | '), segment]));
}
