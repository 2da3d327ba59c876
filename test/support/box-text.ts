import type { Confirmation } from '../../source/store/prompts/confirm.ts';
import { confirmBody } from '../../source/view/text/confirm-lines.ts';
import { spansText } from '../../source/view/text/fit.ts';

/** Returns the text of a box in rows that nothing wraps. */
export function boxText(question: Pick<Confirmation, 'lines'>): string {
  return confirmBody(question, 1000).map(spansText).join('\n');
}
