import type { Command } from '../command/command.ts';
import { isTextSearched, stepTextMatch } from '../command/text-search.ts';
import { compareHere, goToChange } from './diff-steps.ts';

const contexts = ['diff'] as const;

/** Commands of the difference between a draft and the service. */
export const diffCommands: readonly Command[] = [
  {
    id: 'diff.next-change',
    keys: ['n'],
    contexts,
    label: 'next',
    group: 'pane',
    help: 'next change',
    title: 'next change',
    variant: (deck) => (isTextSearched(deck) ? { label: 'match', help: 'next match' } : undefined),
    run({ deck, viewport }) {
      if (isTextSearched(deck)) stepTextMatch(deck, 'next');
      else goToChange(deck, 1, viewport);
    },
  },
  {
    id: 'diff.previous-change',
    keys: ['N'],
    contexts,
    label: 'previous',
    group: 'pane',
    help: 'previous change',
    title: 'previous change',
    variant: (deck) => (isTextSearched(deck) ? { help: 'previous match' } : undefined),
    run({ deck, viewport }) {
      if (isTextSearched(deck)) stepTextMatch(deck, 'previous');
      else goToChange(deck, -1, viewport);
    },
  },
  {
    id: 'editor.compare',
    keys: ['f7'],
    contexts: ['edit'],
    group: 'text',
    help: 'text and service',
    title: 'difference',
    synonyms: ['diff', 'compare'],
    run: ({ deck }) => compareHere(deck),
  },
];
