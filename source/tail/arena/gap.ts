import type { LogLine } from '../../contract/logs.ts';
import { shift } from './place.ts';

/**
 * Why lines are missing. `unanswered`: the service did not answer in time. `gone`: it answered, and
 * no longer has them. `unclear`: its answers could not be joined to the lines at hand. `dropped`: they
 * were at hand, and memory has no room for them.
 */
export type GapReason = 'unanswered' | 'gone' | 'unclear' | 'dropped';

/** A gap under a run of lines: still being fetched, or given up until it is tried again. */
export type GapState =
  | { readonly kind: 'filling' }
  | { readonly kind: 'missing'; readonly why: GapReason };

export const filling: GapState = { kind: 'filling' };

/** The lines between `after` and `until`, both known, are not at hand. */
export interface Gap<Line> {
  readonly state: GapState;
  /** The last known line before the gap; undefined when it is no longer kept. */
  readonly after: Line | undefined;
  /** The first known line behind it. */
  readonly until: Line;
}

/** The sentence that stands where lines are missing: by their ids, else by their times. */
export function gapSentence({ state, after, until }: Gap<LogLine>): string {
  const lines = linesBetween(after, until);
  if (state.kind === 'filling') return `${lines} are being fetched`;
  if (state.why === 'dropped') return `gap: ${lines} had left memory`;
  return `gap: ${lines} could not be fetched`;
}

function linesBetween(after: LogLine | undefined, until: LogLine): string {
  if (until.id !== undefined) {
    const last = shift(until.id, -1);
    if (after?.id === undefined) return `lines up to ${last}`;
    const first = shift(after.id, 1);
    // Ids that do not rise across the gap say that the service counts anew behind it.
    if (first < last) return `lines ${first} to ${last}`;
    return first === last ? `line ${first}` : `lines after ${after.id}`;
  }
  if (until.timestamp === undefined) return 'lines here';
  if (after?.timestamp === undefined) return `lines before ${until.timestamp}`;
  return `lines from ${after.timestamp} to ${until.timestamp}`;
}
