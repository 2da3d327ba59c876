import { keyName } from '../../store/prompts/key-names.ts';
import type { GapEntry } from '../../tail/arena/entries.ts';
import { gapSentence } from '../../tail/arena/gap.ts';
import type { LogLine } from '../../contract/logs.ts';

/**
 * Returns the text of a gap's row, without the gutter.
 * @param owner name of the deployment in a joined log.
 */
export function gapText(gap: GapEntry<LogLine>, owner?: string): string {
  const prefix = owner === undefined ? '' : `${owner}: `;
  const filling = gap.state.kind === 'filling' ? '...' : '';
  const end = canRefetchGap(gap) ? `. ${keyName('log.fill-gaps', 'R')} retries` : filling;
  return `-- ${prefix}${gapSentence(gap)}${end} --`;
}

/** Returns whether the lines of a gap can be fetched again. */
export function canRefetchGap({ state }: GapEntry<LogLine>): boolean {
  return state.kind === 'missing' && state.why === 'unanswered';
}
