import type { Deck } from '../../../store/deck/deck.ts';
import { formatCount, formatRate } from '../../text/amount.ts';
import { type Line, span } from '../../text/line.ts';
import { tailText } from '../title.ts';
import { comparisonStatus } from './compared-rows.ts';
import { patternOrderText } from './pattern-actions.ts';
import { patternRest } from './pattern-rows.ts';

type Handles = Pick<Deck, 'deployments' | 'opened' | 'screen'>;

/** Returns the title of the patterns: `Patterns shop 57 by rate`. */
export function patternsTitle(deck: Handles, long: boolean): string {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return 'Patterns';
  if (isCompared(deck)) return `Compare ${tailText(deck, long)}`;
  const { order } = tail.patternList.state.getState();
  const text = patternOrderText(order);
  const count = formatCount(tail.patternList.rows().length);
  return `Patterns ${tailText(deck, long)} ${count}${text === 'attention' ? '' : ` by ${text}`}`;
}

/** Returns the right end of the title: the lines of all patterns, and what they leave out. */
export function patternsStatus(deck: Pick<Deck, 'opened' | 'screen'>): Line {
  const { opened, screen } = deck;
  if (isCompared(deck)) {
    const comparison = opened.getState().tail?.comparison.state.getState();
    return comparison === undefined ? [] : comparisonStatus(comparison, screen.getState().times);
  }
  const state = opened.getState().tail?.patterns.state.getState();
  if (state === undefined || state.lines === 0) return [];
  const rest = patternRest(state);
  return [
    span(`${linesText(Math.round(state.lines))} lines`),
    ...(rest === '' ? [] : [span(`, ${rest}`, 'busy')]),
  ];
}

function isCompared({ screen }: Pick<Deck, 'screen'>): boolean {
  const { main } = screen.getState();
  return main.kind === 'patterns' && main.isCompared === true;
}

/** Lines from which their number is short: `12.3K`. */
const manyLines = 10_000;

function linesText(lines: number): string {
  return lines < manyLines ? formatCount(lines) : formatRate(lines);
}
