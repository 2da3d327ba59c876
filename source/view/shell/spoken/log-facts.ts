import type { Deck } from '../../../store/deck/deck.ts';
import type { Tail } from '../../../store/log/tail.ts';
import { filtersText } from '../../../tail/query/line-filters.ts';
import { connectionWords } from '../../log/connection-words.ts';
import { queryCountText } from '../../log/state-line.ts';
import type { HeardFact } from './heard.ts';

/**
 * Returns the filter of a log, and its search without a match.
 * @param isHeld whether a person is typing one of them.
 */
export function queryFacts(tail: Tail, isHeld: boolean): readonly HeardFact[] {
  const facts = [filterFact(tail), searchFact(tail)].filter((fact) => fact !== undefined);
  return isHeld ? facts.map(held) : facts;
}

function filterFact(tail: Tail): HeardFact | undefined {
  const { active, problem, done } = tail.filter.state.getState();
  if (problem !== undefined) {
    return { key: 'filter', value: problem.sentence, text: problem.sentence };
  }
  if (active === undefined) return undefined;
  const query = filtersText(active);
  // Counts grow with the log, so only the first complete one is said.
  const text = `Filter ${query}${done ? `, ${queryCountText(tail, 'filter')} lines` : ''}.`;
  return { key: 'filter', value: `${query} ${done}`, text, ended: 'No filter.' };
}

function searchFact(tail: Tail): HeardFact | undefined {
  const { query, problem, done, at, newer, older, missed } = tail.search.state.getState();
  if (problem !== undefined) {
    return { key: 'search', value: problem.sentence, text: problem.sentence };
  }
  if (query === undefined || !done) return undefined;
  const isEmpty = at === undefined && newer + older === 0;
  if (isEmpty) return { key: 'search', value: query.text, text: `No match for ${query.text}.` };
  if (missed === undefined) return undefined;
  return { key: 'search', value: missed, text: `No ${missed} match.` };
}

/** Returns what is wrong with the connection of a log. */
export function connectionFacts(deck: Pick<Deck, 'deployments'>, tail: Tail): readonly HeardFact[] {
  const words = connectionWords(deck, tail);
  if (words === undefined) return [];
  return [{ key: 'log connection', value: words, text: words, ended: 'The log is connected.' }];
}

function held(fact: HeardFact): HeardFact {
  return { ...fact, isHeld: true };
}
