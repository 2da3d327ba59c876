import { gapSentence, type LogLine } from '../store/log-view.ts';
import type { GapEntry } from '../tail/entries.ts';

/** The row that stands where lines are missing, without its gutter. */
export function gapText(gap: GapEntry<LogLine>): string {
  return `-- ${gapSentence(gap)}${isTriedAgain(gap) ? '. R tries again' : ''} --`;
}

/** Whether a key may bring the lines of a gap. */
export function isTriedAgain({ state }: GapEntry<LogLine>): boolean {
  return state.kind === 'missing' && state.why !== 'dropped';
}
