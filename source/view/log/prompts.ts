import type { Deck } from '../../store/deck/deck.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import type { LineQueryKind } from '../../store/log/line-queries.ts';
import { moveCursorIntoFilter } from './place.ts';
import { queryCountText, queryText } from './state-line.ts';
import { watchQueries } from './rows-changed.ts';
import type { Tail } from '../../store/log/tail.ts';
import type { LineQuery } from '../../tail/query/log-query.ts';

/**
 * Opens the prompt of a search or filter. The query applies from the first change on, and an empty
 * one removes it. The query belongs to this log; a filter returns when its log is opened again.
 */
export function promptQuery(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  kind: LineQueryKind,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) {
    deck.messages.say('Open a deployment first.');
    return;
  }
  const liveQuery = kind === 'search' ? liveSearch(tail) : liveFilter(tail);
  let isTyped = false;

  const promptOf = (regex: boolean): Prompt => ({
    label: queryText(kind, { text: '', regex }),
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
      liveQuery.set(text === '' ? undefined : { text, regex });
    },
    left() {
      if (isTyped) liveQuery.restore();
    },
    submit(text) {
      if (text === '') liveQuery.set(undefined);
      else deck.screen.reading.addQuery(kind, { text, regex });
      if (kind === 'filter') void moveCursorIntoFilter(tail);
    },
  });

  deck.screen.overlay.open(prompting(promptOf(false)));
}

/** Applies a query while it is typed, and restores the previous state on Esc. */
interface LiveQuery {
  set(query: LineQuery | undefined): void;
  restore(): void;
}

function liveSearch({ search, view }: Tail): LiveQuery {
  const position = view.position.getState();
  const top = view.top();
  const { query: previous } = search.state.getState();
  return {
    set: (query) => search.setQuery(query, position),
    restore() {
      search.setQuery(previous);
      // A copy changes the identity, which stops a running search from moving the reader.
      view.restore({ ...position });
      view.recordTop(top);
    },
  };
}

function liveFilter({ filter }: Tail): LiveQuery {
  const { query: previous } = filter.state.getState();
  return {
    set: (query) => filter.setQuery(query),
    restore: () => filter.setQuery(previous),
  };
}
