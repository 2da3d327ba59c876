import type { Deck } from '../../store/deck/deck.ts';
import type { Tail } from '../../store/deck/opened.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import type { LineQuery, LineQueryKind } from '../../store/log/line-queries.ts';
import { settleCursor } from './place.ts';
import { outcomeText, queryText } from './state-line.ts';
import { watchRows } from './rows-changed.ts';

/**
 * Opens the prompt of a search or filter. The query applies from the first change on, and an empty
 * one removes it. The query belongs to this log: another deployment opens without it.
 */
export function askLines(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  kind: LineQueryKind,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) {
    deck.messages.say('Open a deployment first.');
    return;
  }
  const typing = kind === 'search' ? typedSearch(tail) : typedFilter(tail);
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

/** Applies a query while it is typed, and restores the previous state on Esc. */
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
      // A copy changes the identity, which stops a running search from moving the reader.
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
