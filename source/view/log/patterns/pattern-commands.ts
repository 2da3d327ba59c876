import { comparePatterns, restartAtCursor } from './compare-command.ts';
import { type Command, contextOf, paneContexts } from '../../command/command.ts';
import {
  filterToPattern,
  hidePattern,
  namePattern,
  reversePatternOrder,
  showPatterns,
  stepPatternOrder,
} from './pattern-actions.ts';
import { worseRun } from './worse-run.ts';

const contexts = ['patterns'] as const;

/** Commands of the patterns of the log, with the key that opens them. */
export const patternCommands: readonly Command[] = [
  {
    id: 'log.compare',
    keys: ['B'],
    contexts: paneContexts,
    group: 'pane',
    topic: 'find',
    help: 'before and after',
    note: 'the cursor or restart',
    title: 'compare',
    synonyms: ['difference', 'restart', 'runs', 'worse', 'before', 'after', 'patterns'],
    // The footer offers it for a run that is worse, and where a restart is below the cursor.
    variant(deck) {
      if (worseRun(deck) !== undefined) return { label: 'compare runs' };
      const { focus, main } = deck.screen.getState();
      if (contextOf(focus, main) !== 'logs') return { isHidden: true };
      const { tail } = deck.opened.getState();
      const restart = tail === undefined ? undefined : restartAtCursor(tail);
      return restart === undefined ? undefined : { label: 'compare runs' };
    },
    run: ({ deck }) => void comparePatterns(deck),
  },
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
    id: 'patterns.name',
    keys: ['a'],
    contexts,
    label: 'name',
    group: 'pane',
    help: 'name it',
    title: 'name pattern',
    synonyms: ['rename', 'label', 'call'],
    run: ({ deck }) => namePattern(deck),
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
