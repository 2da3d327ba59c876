import type { Deck } from '../../store/deck/deck.ts';
import type { PromptStatus } from '../../store/prompts/prompt.ts';
import { type LiveQuery, openQueryPrompt } from '../command/query-prompt.ts';
import {
  hasActiveFilter,
  withAll,
  withFilter,
  withFilterAt,
} from '../../store/log/reader/filter-list.ts';
import type { LineQueryKind } from '../../store/log/line-queries.ts';
import { moveCursorIntoFilter } from './place.ts';
import { completedTerms } from './terms/term-completion.ts';
import { queryCountText, queryText } from './state-line.ts';
import { watchQueries } from './rows-changed.ts';
import type { Tail } from '../../store/log/tail.ts';
import {
  filterOf,
  type LineFilter,
  type TypedFilter,
  typedFilter,
} from '../../tail/query/line-filters.ts';
import type { LineQuery } from '../../tail/query/log-query.ts';

type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>;

/** Opens the prompt of the search: it applies from the first change on, and an empty one ends it. */
export function promptSearch(deck: Handles): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return deck.messages.say('Open a deployment first.');
  return openQueryPrompt(deck, liveSearch(deck, tail));
}

/**
 * Opens the prompt that adds a filter, or edits the one at `index`. The filter applies from the first
 * change on. An empty text switches the filters on again, and removes the one that is edited.
 */
export function promptFilter(deck: Handles, index?: number): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return deck.messages.say('Open a deployment first.');
  const filter = index === undefined ? undefined : tail.filter.state.getState().filters[index];
  const edited = filter && typedFilter(filter);
  return openQueryPrompt(deck, liveFilter(deck, tail, index, edited));
}

/** Opens the prompt of a filter by deployment, for the log of several. */
export function promptDeploymentFilter(deck: Handles, term: 'deployment:' | '!deployment:'): void {
  const { tail } = deck.opened.getState();
  if (tail?.joined === undefined)
    return deck.messages.say('Mark several deployments and open their logs as one first.');
  return openQueryPrompt(deck, liveFilter(deck, tail, undefined, undefined), term);
}

/** Returns the parts of a prompt that a search and a filter of a log share. */
function outcomeOf(deck: Handles, tail: Tail, kind: LineQueryKind): PromptStatus {
  return {
    subscribe: (changed) => watchQueries(tail, deck.clock, changed),
    text: () => queryCountText(tail, kind),
    problem: () => tail[kind].state.getState().problem,
  };
}

function liveSearch(deck: Handles, tail: Tail): LiveQuery {
  const { search, view } = tail;
  const position = view.position.getState();
  const top = view.top();
  const { query: previous } = search.state.getState();
  const { logLeft } = deck.screen.getState();
  return {
    kind: 'search',
    label: (regex) => queryText('search', { text: '', regex }),
    outcome: outcomeOf(deck, tail, 'search'),
    completions: (text) => completedTerms(tail, text),
    set(query) {
      // Each query starts where the reader was, as a longer one may match nowhere.
      deck.screen.reading.setLogLeft(logLeft);
      search.setQuery(query, position);
    },
    restore() {
      search.setQuery(previous);
      // A copy changes the identity, which stops a running search from moving the reader.
      view.restore({ ...position });
      view.recordTop(top);
      deck.screen.reading.setLogLeft(logLeft);
    },
    submitNothing: () => search.setQuery(undefined, position),
  };
}

function liveFilter(
  deck: Handles,
  tail: Tail,
  index: number | undefined,
  edited: TypedFilter | undefined,
): LiveQuery {
  const { filter } = tail;
  const isExcluding = edited?.isExcluding;
  const { filters: previous } = filter.state.getState();
  const withQuery = (query: LineQuery | undefined): readonly LineFilter[] => {
    const typed = query && filterOf(query, isExcluding);
    if (index === undefined) return typed === undefined ? previous : withFilter(previous, typed);
    return withFilterAt(previous, index, ({ isOn }) => typed && { ...typed, isOn });
  };
  return {
    kind: 'filter',
    label: (regex) =>
      `${isExcluding === true ? 'exclude ' : ''}${queryText('filter', { text: '', regex })}`,
    edited: edited?.query,
    outcome: outcomeOf(deck, tail, 'filter'),
    completions: (text) => completedTerms(tail, text),
    submitted: () => void moveCursorIntoFilter(tail),
    set: (query) => filter.setFilters(withQuery(query)),
    restore: () => filter.setFilters(previous),
    submitNothing() {
      const next = withQuery(undefined);
      filter.setFilters(hasActiveFilter(next) ? next : withAll(next, true));
    },
  };
}
