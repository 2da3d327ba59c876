import type { Command } from '../command/command.ts';
import { goToChange } from './diff-steps.ts';

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
    run: ({ deck, viewport }) => goToChange(deck, 1, viewport),
  },
  {
    id: 'diff.previous-change',
    keys: ['N'],
    contexts,
    label: 'previous',
    group: 'pane',
    help: 'previous change',
    title: 'previous change',
    run: ({ deck, viewport }) => goToChange(deck, -1, viewport),
  },
];
