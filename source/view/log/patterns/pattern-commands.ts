import type { Command } from '../../command/command.ts';
import {
  filterToPattern,
  hidePattern,
  reversePatternOrder,
  showPatterns,
  stepPatternOrder,
} from './pattern-actions.ts';

const contexts = ['patterns'] as const;

/** Commands of the patterns of the log, with the key that opens them. */
export const patternCommands: readonly Command[] = [
  {
    id: 'log.patterns',
    keys: ['%'],
    contexts: ['logs'],
    label: 'patterns',
    group: 'pane',
    topic: 'find',
    help: 'patterns',
    title: 'patterns',
    synonyms: ['groups', 'templates', 'cluster', 'kinds', 'summary'],
    run: ({ deck }) => showPatterns(deck),
  },
  {
    id: 'patterns.only',
    keys: ['enter'],
    contexts,
    label: 'only these',
    group: 'pane',
    help: 'only its lines',
    title: 'only this pattern',
    synonyms: ['filter', 'include', 'show'],
    run: ({ deck }) => filterToPattern(deck),
  },
  {
    id: 'patterns.hide',
    keys: ['x'],
    contexts,
    label: 'hide',
    group: 'pane',
    help: 'hide, show again',
    title: 'hide pattern',
    synonyms: ['exclude', 'mute', 'ignore'],
    run: ({ deck }) => hidePattern(deck),
  },
  {
    id: 'patterns.order',
    keys: ['o'],
    contexts,
    label: 'order',
    group: 'list',
    help: 'next order of rows',
    title: 'order of patterns',
    synonyms: ['sort'],
    run: ({ deck }) => stepPatternOrder(deck),
  },
  {
    id: 'patterns.reverse-order',
    keys: ['I'],
    contexts,
    group: 'list',
    help: 'reverse the order',
    title: 'reverse order of patterns',
    synonyms: ['sort', 'invert'],
    run: ({ deck }) => reversePatternOrder(deck),
  },
];
