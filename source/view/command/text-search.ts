/** Commands of the search in the text of pane 4: the prompt, the steps and Esc. */
import type { Deck } from '../../store/deck/deck.ts';
import { staysUntilEscape } from '../../store/deck/screen/message.ts';
import { matchPosition } from '../../store/text-search/line-matches.ts';
import type { TextDirection } from '../../store/text-search/text-search.ts';
import { contextOf, scrollContexts } from './command.ts';
import { noSearchMessage, openQueryPrompt } from './query-prompt.ts';

type Handles = Pick<Deck, 'screen' | 'messages' | 'textSearch'>;

/** Opens the prompt of the search; the query applies while it is typed, and Esc takes it back. */
export function promptTextSearch({ screen, textSearch }: Handles): void {
  const { query: previous } = textSearch.state.getState();
  const { scroll, detailCursor } = screen.getState();
  const origin = textSearch.from();
  openQueryPrompt(
    { screen },
    {
      kind: 'search',
      label: (regex) => (regex ? '/re:' : '/'),
      outcome: {
        subscribe: (changed) => textSearch.state.subscribe(changed),
        text: () => textCount(textSearch),
        problem: () => textSearch.state.getState().problem,
      },
      set: (query) => textSearch.setQuery(query, origin),
      restore() {
        textSearch.setQuery(previous, origin);
        screen.view.moveInDetails(detailCursor, scroll.top);
      },
      submitNothing: () => textSearch.setQuery(undefined),
    },
  );
}

/** Returns `1 of 2`; empty without a query. */
export function textCount({ state }: Pick<Deck['textSearch'], 'state'>): string {
  const { query, problem, matches, at, isDone } = state.getState();
  return query === undefined || problem !== undefined ? '' : matchPosition(matches, at, isDone);
}

/** Returns whether pane 4 has the focus and its text is searched, so that `n` and `N` step. */
export function isTextSearched({
  screen,
  textSearch,
}: Pick<Deck, 'screen' | 'textSearch'>): boolean {
  const { focus, main } = screen.getState();
  const { query, problem } = textSearch.state.getState();
  const isSearched = query !== undefined || problem !== undefined;
  return isSearched && scrollContexts.includes(contextOf(focus, main));
}

/** Steps to the next or previous match, or says that there is none. */
export function stepTextMatch(deck: Handles, direction: TextDirection): void {
  if (!isTextSearched(deck)) return deck.messages.say(noSearchMessage('text.search'));
  const { isDone } = deck.textSearch.state.getState();
  // Until the scan is done, the strip says that it searches.
  if (!deck.textSearch.step(direction) && isDone) deck.messages.say('No match.');
}

/** Ends the search on Esc; false if none is active, or if an overlay or message takes Esc first. */
export function escapeTextSearch(deck: Pick<Deck, 'screen' | 'textSearch'>): boolean {
  const { overlay, message } = deck.screen.getState();
  if (overlay !== undefined || staysUntilEscape(message) || !isTextSearched(deck)) return false;
  deck.textSearch.setQuery(undefined);
  return true;
}
