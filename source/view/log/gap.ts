import { gapSentence, type LogLine } from '../../store/log/reader/view.ts';
import type { GapEntry } from '../../tail/arena/entries.ts';

/**
 * Returns the text of a gap's row, without the gutter.
 * @param whose name of the deployment in a joined log.
 */
export function gapText(gap: GapEntry<LogLine>, whose?: string): string {
  const of = whose === undefined ? '' : `${whose}: `;
  const filling = gap.state.kind === 'filling' ? '...' : '';
  return `-- ${of}${gapSentence(gap)}${isTriedAgain(gap) ? '. R retries' : filling} --`;
}

/** Returns whether the lines of a gap can be fetched again. */
export function isTriedAgain({ state }: GapEntry<LogLine>): boolean {
  return state.kind === 'missing' && state.why !== 'dropped';
}
