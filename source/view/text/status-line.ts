import { alertCounts, type AlertKind } from '../../store/alerts/alert-kinds.ts';
import { shownSilence } from '../../store/deck/polling.ts';
import { profileName, type Profile, type ProfileColour } from '../../store/deck/profile.ts';
import type { Reach } from '../../store/lists/reach.ts';
import { shortAddress } from '../../store/grants/address.ts';
import { formatWait } from '../../store/time/age.ts';
import { fillLine, lineWidth } from './fit.ts';
import { type Line, type Span, span } from './line.ts';
import type { Token } from './theme.ts';

/** State of the log stream in row 1. */
export interface LogStatus {
  readonly text: string;
  readonly token?: Token;
  /** Bar chart of the line rate in the last minute, drawn where it fits. */
  readonly bars?: string | undefined;
}

/** Returns the log status without its bar chart. */
export function withoutBars(log: LogStatus | undefined): LogStatus | undefined {
  return log && { ...log, bars: undefined };
}

/** Contents of row 1, most important first. */
export interface Status {
  readonly profile: Profile;
  /** Name of the full-screen view, shown instead of host and wallet. */
  readonly subject: string | undefined;
  /** True when the console must not write to the service. */
  readonly isReadOnly?: boolean;
  readonly reach: Reach;
  /** True when the service rejects the token. */
  readonly isRejected?: boolean;
  /** Time from which on requests are unanswered, also before one of them has failed. */
  readonly silentSince?: number | undefined;
  /** Kinds of all alerts whose cause goes on. */
  readonly alerts: readonly AlertKind[];
  readonly restarts: readonly string[];
  /** Number of deployments with unapplied changes. */
  readonly unapplied: number;
  /** Number of unsaved drafts. */
  readonly drafts: number;
  /** True when the link to the terminal is slow. */
  readonly slowLink: boolean;
  readonly log: LogStatus | undefined;
  readonly now: number;
}

/**
 * Draws row 1 in `width` cells: the service on the left, the activity on the right. Host and wallet
 * are dropped first in a narrow row.
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
  const room = width - lineWidth(right) - (right.length > 0 ? gap : 0);
  let left: Line = [name];
  for (const text of texts) {
    const longer = [...left, span(` ${text}`)];
    // A wallet without its host would look like that of another service.
    if (lineWidth(longer) > room) break;
    left = longer;
  }
  return [...fillLine(left, width - lineWidth(right), ' '), ...right];
}

const nameTokens: Readonly<Record<ProfileColour, Token>> = {
  yellow: 'busy',
  green: 'good',
  cyan: 'info',
  magenta: 'mark',
};

/** Draws the name of the service, as in row 1 and in the titles of boxes. */
export function profileSpan(profile: Profile): Span {
  if (profile.production) return span(profileName(profile), 'alert');
  const { colour } = profile;
  return span(profile.name, colour === undefined ? 'focus' : nameTokens[colour]);
}

function statusSegments(status: Status): readonly Span[] {
  const { reach, now } = status;
  const silence = now - (status.silentSince ?? now);
  const segments: Span[] = status.isRejected === true ? [span('NOT SIGNED IN', 'bad')] : [];

  if (reach.kind === 'away') {
    const wait = Math.max(0, Math.ceil((reach.nextTry - now) / 1000));
    const next = wait === 0 ? 'reconnecting' : `retry in ${wait}s`;
    segments.push(span(`OFFLINE ${formatWait(now - reach.since)}, ${next}`, 'bad'));
  } else if (silence >= shownSilence) {
    segments.push(span(`no answer ${formatWait(silence)}`, 'busy'));
  }
  if (status.isReadOnly === true) segments.push(span('READ-ONLY', 'busy'));
  const counts = Map.groupBy(alertCounts(status.alerts), ({ isFailure }) => isFailure);
  for (const { text } of counts.get(true) ?? []) segments.push(span(text, 'bad'));
  for (const text of status.restarts) segments.push(span(text, 'busy'));
  if (status.unapplied > 0) segments.push(span(`${status.unapplied} unapplied`, 'busy'));
  for (const { text } of counts.get(false) ?? []) segments.push(span(text, 'busy'));
  const { drafts } = status;
  if (drafts > 0) segments.push(span(drafts === 1 ? '1 draft' : `${drafts} drafts`, 'busy'));
  if (status.slowLink) segments.push(span('slow link', 'busy'));
  if (status.log !== undefined) segments.push(span(status.log.text, status.log.token));
  return segments;
}

/** Blank cells between the two sides. */
const gap = 2;

/** Minimum columns for the bar chart of the log rate. */
const barsFrom = 120;

/** Joins all segments, with the bar chart before the log's rate. */
function withBars(segments: readonly Span[], log: LogStatus | undefined): Line {
  const [last] = segments.slice(-1);
  if (log?.bars === undefined || last === undefined) return joinSegments(segments);
  const [before, rate] = [segments.slice(0, -1), [span(`${log.bars} `, 'quiet'), last]];
  return before.length === 0 ? rate : [...joinSegments(before), span(' | '), ...rate];
}

/** Joins as many segments as fit, the most important ones first, and names or counts the others. */
function fittingSegments(segments: readonly Span[], room: number): Line {
  for (let count = segments.length; count > 0; count -= 1) {
    const joined = joinSegments(segments.slice(0, count));
    const left = room - lineWidth(joined);
    const rest = restLines(segments.slice(count)).find((line) => lineWidth(line) <= left);
    if (rest !== undefined) return [...joined, ...rest];
  }
  return segments.slice(0, 1);
}

/** Returns what may stand for segments without room, longest first: `+grant ending`, `+grant`, `+1`. */
function restLines(rest: readonly Span[]): readonly Line[] {
  if (rest.length === 0) return [[]];
  const named = (name: (text: string) => string): Line =>
    rest.map(({ text, token }) => span(` +${name(text)}`, token));
  return [
    named(withoutCount),
    named((text) => withoutCount(text).split(' ', 1).join('')),
    [span(` +${rest.length}`, 'quiet')],
  ];
}

const withoutCount = (text: string) => text.replace(/^\d+ /, '');

function joinSegments(segments: readonly Span[]): Line {
  return segments.flatMap((segment, index) => (index === 0 ? [segment] : [span(' | '), segment]));
}
