import type { Deck } from '../../store/deck/deck.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import {
  hasActiveFilter,
  withAll,
  withFilter,
  withFilterAt,
} from '../../store/log/reader/filter-list.ts';
import type { LineQueryKind } from '../../store/log/line-queries.ts';
import { moveCursorIntoFilter } from './place.ts';
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

/** A query that applies while it is typed. */
interface LiveQuery {
  readonly kind: LineQueryKind;
  /** Applies the typed query; undefined while the text is empty. */
  set(query: LineQuery | undefined): void;
  /** Returns to the state before the prompt. */
  restore(): void;
  /** Applies an empty text that was entered. */
  submitNothing(): void;
}

/** Opens the prompt of the search: it applies from the first change on, and an empty one ends it. */
export function promptSearch(deck: Handles): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return deck.messages.say('Open a deployment first.');
  return openPrompt(deck, tail, liveSearch(tail));
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
  return openPrompt(deck, tail, liveFilter(tail, index, edited?.isExcluding), edited);
}

function openPrompt(deck: Handles, tail: Tail, live: LiveQuery, edited?: TypedFilter): void {
  const { kind } = live;
  let isTyped = false;

  const promptOf = (regex: boolean): Prompt => ({
    label: `${edited?.isExcluding === true ? 'exclude ' : ''}${queryText(kind, { text: '', regex })}`,
    hints: [
      ['Enter', 'keep'],
      ['Tab', regex ? 'text' : 'regex'],
      ['Up/Down', 'history'],
      ['Esc', 'back'],
    ],
    takesNothing: true,
    turned: () => promptOf(!regex),
    entered: () =>
      deck.screen
        .getState()
        .queries[kind].map((query) => ({ prompt: promptOf(query.regex), text: query.text })),
    outcome: {
      subscribe: (changed) => watchQueries(tail, deck.clock, changed),
      text: () => (isTyped ? queryCountText(tail, kind) : ''),
      problem: () => (isTyped ? tail[kind].state.getState().problem : undefined),
    },
    changed(text) {
      isTyped = true;
      live.set(text === '' ? undefined : { text, regex });
    },
    left() {
      if (isTyped) live.restore();
    },
    submit(text) {
      if (text === '') live.submitNothing();
      else deck.screen.reading.addQuery(kind, { text, regex });
      if (kind === 'filter') void moveCursorIntoFilter(tail);
    },
  });

  deck.screen.overlay.open(prompting(promptOf(edited?.query.regex ?? false), edited?.query.text));
}

function liveSearch({ search, view }: Tail): LiveQuery {
  const position = view.position.getState();
  const top = view.top();
  const { query: previous } = search.state.getState();
  return {
    kind: 'search',
    set: (query) => search.setQuery(query, position),
    restore() {
      search.setQuery(previous);
      // A copy changes the identity, which stops a running search from moving the reader.
      view.restore({ ...position });
      view.recordTop(top);
    },
    submitNothing: () => search.setQuery(undefined, position),
  };
}

function liveFilter(
  { filter }: Tail,
  index: number | undefined,
  isExcluding: boolean | undefined,
): LiveQuery {
  const { filters: previous } = filter.state.getState();
  const withQuery = (query: LineQuery | undefined): readonly LineFilter[] => {
    const typed = query && filterOf(query, isExcluding);
    if (index === undefined) return typed === undefined ? previous : withFilter(previous, typed);
    return withFilterAt(previous, index, ({ isOn }) => typed && { ...typed, isOn });
  };
  return {
    kind: 'filter',
    set: (query) => filter.setFilters(withQuery(query)),
    restore: () => filter.setFilters(previous),
    submitNothing() {
      const next = withQuery(undefined);
      filter.setFilters(hasActiveFilter(next) ? next : withAll(next, true));
    },
  };
}
