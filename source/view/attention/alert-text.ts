import type { Condition } from '../../store/attention/condition.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { restartCount } from '../../store/deployments/deployments.ts';
import { listedDeployment } from '../command/row-under-cursor.ts';
import { contextOf } from '../command/command.ts';
import { lineWidth } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/**
 * Returns the alert bar in `width` cells: the newest failure that nobody has looked at, and the
 * number of the others. Empty without one.
 */
export function alertLine(
  deck: Pick<Deck, 'attention' | 'deployments' | 'screen'>,
  width: number,
): Line {
  const { attention, deployments, screen } = deck;
  const { focus, main } = screen.getState();
  const [id, ...others] = attention.alerts.state.getState();
  const condition = id === undefined ? undefined : attention.state.getState().conditions.get(id);
  if (id === undefined || condition === undefined) return [];
  const failure = failureText(deployments.label(id), condition);
  const listed = listedDeployment(deck, id);
  const restarts = listed && restartCount(listed.services);
  const more = others.length === 0 ? '' : ` (${others.length} more)`;
  // In the editor, the key types.
  const next = contextOf(focus, main) === 'edit' ? more : `. ! opens its log${more}`;
  const whole = [span(`${failure}${factsText(condition, restarts)}${next}.`, 'bad')];
  return lineWidth(whole) <= width ? whole : [span(`${failure}${next}.`, 'bad')];
}

function failureText(label: string, { kind, word }: Condition): string {
  if (kind === 'restart failed') return `Restart of ${label} failed`;
  const isVerb = /^(?:failed|crashed|errored)$/i.test(word);
  return `${label} ${isVerb ? 'has' : 'is'} ${word.toLowerCase()}`;
}

function factsText({ kind, exitCode }: Condition, restarts: number | undefined): string {
  const facts = [
    kind === 'crashing' && restarts !== undefined ? `${restarts} restarts` : '',
    exitCode === undefined ? '' : `exit ${exitCode}`,
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : `: ${facts.join(', ')}`;
}
