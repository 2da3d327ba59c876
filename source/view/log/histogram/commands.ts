import type { Command } from '../../command/command.ts';
import { goToBurst, toggleHistogram } from './bursts.ts';

const contexts = ['logs'] as const;

/** Commands of the log's histogram. */
export const histogramCommands: readonly Command[] = [
  {
    id: 'log.histogram',
    keys: ['i'],
    contexts,
    label: 'histogram',
    group: 'pane',
    topic: 'view',
    help: 'histogram',
    title: 'histogram',
    synonyms: ['bars', 'chart', 'rate', 'volume'],
    run: ({ deck, viewport }) => toggleHistogram(deck, viewport),
  },
  {
    id: 'log.older-burst',
    keys: ['<'],
    contexts,
    group: 'pane',
    topic: 'find',
    help: 'older peak',
    title: 'older peak',
    synonyms: ['burst', 'spike', 'histogram'],
    run: ({ deck, viewport }) => goToBurst(deck, 'older', viewport),
  },
  {
    id: 'log.newer-burst',
    keys: ['>'],
    contexts,
    group: 'pane',
    topic: 'find',
    help: 'newer peak',
    title: 'newer peak',
    synonyms: ['burst', 'spike', 'histogram'],
    run: ({ deck, viewport }) => goToBurst(deck, 'newer', viewport),
  },
];
