import type { Deck } from '../../store/deck/deck.ts';
import type { Tail } from '../../store/deck/opened.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import type { LineQuery, LineQueryKind } from '../../store/log/line-queries.ts';
import { settleCursor } from './place.ts';
import { outcomeText, queryText } from './state-line.ts';
import { watchRows } from './rows-changed.ts';

/**
 * Opens the prompt of a search or a filter. What is typed holds at once, an empty line ends what
 * was searched for or filtered by; nothing typed yet changes nothing. It holds for this log: another
 * deployment opens with none, its lines say other things.
 */
export function askLines(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  kind: LineQueryKind,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) {
    deck.messages.say('No log is open.');
    return;
  }
  const typing = kind === 'search' ? typedSearch(tail) : typedFilter(tail);
  let isTyped = false;

  const promptOf = (regex: boolean): Prompt => ({
    label: queryText(kind, { text: '', regex }),
    hints: [
      ['Enter', 'keeps it'],
      ['Tab', regex ? 'text' : 'regex'],
      ['Up/Down', 'earlier ones'],
      ['Esc', 'back'],
    ],
    takesNothing: true,
    turned: () => promptOf(!regex),
    entered: () =>
      deck.screen
        .getState()
        .queries[kind].map((query) => ({ prompt: promptOf(query.regex), text: query.text })),
    outcome: {
      subscribe: (changed) => watchRows(tail, deck.clock, changed),
      text: () => (isTyped ? outcomeText(tail, kind) : ''),
      problem: () => (isTyped ? tail[kind].state.getState().problem : undefined),
    },
    changed(text) {
      isTyped = true;
      typing.set(text === '' ? undefined : { text, regex });
    },
    left() {
      if (isTyped) typing.restore();
    },
    submit(text) {
      if (text === '') typing.set(undefined);
      else deck.screen.reading.addQuery(kind, { text, regex });
      if (kind === 'filter') void settleCursor(tail);
    },
  });

  deck.screen.overlay.open(prompting(promptOf(false)));
}

/** A query that holds while it is typed, and the way back to where the reader was before. */
interface Typing {
  set(query: LineQuery | undefined): void;
  restore(): void;
}

function typedSearch({ search, view }: Tail): Typing {
  const position = view.position.getState();
  const top = view.top();
  const { query: before } = search.state.getState();
  return {
    set: (query) => search.setQuery(query, position),
    restore() {
      search.setQuery(before);
      // Another object: the search that goes on must not move the reader any more.
      view.restore({ ...position });
      view.recordTop(top);
    },
  };
}

function typedFilter({ filter }: Tail): Typing {
  const { query: before } = filter.state.getState();
  return {
    set: (query) => filter.setQuery(query),
    restore: () => filter.setQuery(before),
  };
}
