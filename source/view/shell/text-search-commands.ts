import { type Command, scrollContexts } from '../command/command.ts';
import { promptTextSearch, stepTextMatch } from '../command/text-search.ts';

/** Contexts in which `n` and `N` step to matches only; elsewhere they step to more. */
const contexts = ['view', 'history', 'patterns'] as const;

/** Commands of the search in texts: a file, Details, a difference and the history. */
export const textSearchCommands: readonly Command[] = [
  {
    id: 'text.search',
    keys: ['/'],
    contexts: scrollContexts,
    label: 'search',
    group: 'pane',
    topic: 'find',
    help: 'search',
    title: 'search',
    synonyms: ['find', 'grep'],
    run: ({ deck }) => promptTextSearch(deck),
  },
  {
    id: 'text.next-match',
    keys: ['n'],
    contexts,
    label: 'match',
    pairedWith: 'text.previous-match',
    group: 'pane',
    topic: 'find',
    help: 'next match',
    title: 'next match',
    synonyms: ['newer'],
    run: ({ deck }) => stepTextMatch(deck, 'next'),
  },
  {
    id: 'text.previous-match',
    keys: ['N'],
    contexts,
    group: 'pane',
    topic: 'find',
    help: 'previous match',
    title: 'previous match',
    synonyms: ['older'],
    run: ({ deck }) => stepTextMatch(deck, 'previous'),
  },
];
