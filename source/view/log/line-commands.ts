/** Commands that step from the details of a log line to another line. */
import type { Deck } from '../../store/deck/deck.ts';
import type { Command, CommandVariant } from '../command/command.ts';
import { isTextSearched, stepTextMatch } from '../command/text-search.ts';
import { stepLine } from './steps/line-step.ts';

/** Describes a step in Details: to a match of the search, else to another line of the log. */
function stepVariant(label: string | undefined, help: string) {
  return (deck: Pick<Deck, 'screen' | 'textSearch'>): CommandVariant | undefined => {
    if (isTextSearched(deck)) return { label, help };
    return deck.screen.getState().main.kind === 'line' ? undefined : { isHidden: true };
  };
}

/** The keys step to matches while the details are searched, and do nothing without a log line. */
export const lineCommands: readonly Command[] = [
  {
    id: 'log.newer-line',
    keys: ['n'],
    contexts: ['details'],
    label: 'other line',
    pairedWith: 'log.older-line',
    group: 'pane',
    help: 'newer line',
    title: 'newer line',
    synonyms: ['next'],
    variant: stepVariant('match', 'next match'),
    run({ deck }) {
      if (isTextSearched(deck)) stepTextMatch(deck, 'next');
      else stepLine(deck, 'newer');
    },
  },
  {
    id: 'log.older-line',
    keys: ['N'],
    contexts: ['details'],
    group: 'pane',
    help: 'older line',
    title: 'older line',
    synonyms: ['previous'],
    variant: stepVariant(undefined, 'previous match'),
    run({ deck }) {
      if (isTextSearched(deck)) stepTextMatch(deck, 'previous');
      else stepLine(deck, 'older');
    },
  },
];
