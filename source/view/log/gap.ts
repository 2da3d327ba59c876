import { gapSentence, type LogLine } from '../../store/log/reader/view.ts';
import type { GapEntry } from '../../tail/arena/entries.ts';

/**
 * The row that stands where lines are missing, without its gutter.
 * @param whose what their deployment is called, where there are several.
 */
export function gapText(gap: GapEntry<LogLine>, whose?: string): string {
  const of = whose === undefined ? '' : `${whose}: `;
  const filling = gap.state.kind === 'filling' ? '...' : '';
  return `-- ${of}${gapSentence(gap)}${isTriedAgain(gap) ? '. R tries again' : filling} --`;
}

/** Whether a key may bring the lines of a gap. */
export function isTriedAgain({ state }: GapEntry<LogLine>): boolean {
  return state.kind === 'missing' && state.why !== 'dropped';
}
