import type { LogLine } from '../../contract/logs.ts';
import { shiftPlace } from './place.ts';

/**
 * The reason why lines are missing. `unanswered`: the service gave no page that shows them; only these are
 * fetched again on request. `gone`: the service no longer has them. `unclear`: it numbers no lines, and its
 * pages could not be joined to the known ones. `dropped`: they were dropped from memory, and can't be
 * fetched again. `unread`: nobody has asked for them, since older
 * ones were wanted first, or memory has dropped them behind lines that are shown.
 * `renumbered`: none need be missing, but the service numbers its lines anew from here on.
 */
export type GapReason = 'unanswered' | 'gone' | 'unclear' | 'dropped' | 'unread' | 'renumbered';

/** The state of a gap: being fetched, or given up until a retry. */
export type GapState =
  | { readonly kind: 'filling' }
  | { readonly kind: 'missing'; readonly why: GapReason };

export const fillingState: GapState = { kind: 'filling' };

/** A range of missing lines between two known ones. */
export interface Gap<Line> {
  readonly state: GapState;
  /** The last known line before the gap; undefined when it has been dropped. */
  readonly after: Line | undefined;
  /** The first known line after the gap. */
  readonly until: Line;
}

/** Returns the sentence shown for a gap. It names the missing lines by id, or else by time. */
export function gapSentence({ state, after, until }: Gap<LogLine>): string {
  const lines = linesBetween(after, until);
  if (state.kind === 'filling') return `${lines} are being fetched`;
  if (state.why === 'dropped') return `gap: ${lines} had left memory`;
  if (state.why === 'renumbered') return 'line numbers begin again';
  if (state.why === 'unread') return `${lines} not loaded`;
  // The pages came; whether lines are missing between them and the known ones is unknown.
  if (state.why === 'unclear') return 'gap: lines may be missing or shown twice here';
  if (state.why === 'gone') {
    const verb = lines.startsWith('line ') ? 'is' : 'are';
    return `gap: ${lines} ${verb} no longer kept`;
  }
  return `gap: ${lines} could not be fetched`;
}

/** Names the lines between two known ones by id, or else by time: `lines 4 to 17`. */
export function linesBetween(after: LogLine | undefined, until: LogLine): string {
  if (until.id !== undefined && typeof until.id !== 'string') {
    const last = shiftPlace(until.id, -1);
    if (after?.id === undefined || typeof after.id === 'string') return `lines up to ${last}`;
    const first = shiftPlace(after.id, 1);
    // Ids that fall across the gap mean that the service restarted its count.
    if (first < last) return `lines ${first} to ${last}`;
    return first === last ? `line ${first}` : `lines after ${after.id}`;
  }
  if (until.timestamp === undefined) return 'lines here';
  if (after?.timestamp === undefined) return `lines before ${until.timestamp}`;
  return `lines from ${after.timestamp} to ${until.timestamp}`;
}
