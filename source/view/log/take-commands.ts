/** The commands that select lines, and take them out of the log. */
import type { Command } from '../command/command.ts';
import { copyLines } from './copy.ts';
import { promptExport } from './export.ts';
import { promptPipe } from './pipe.ts';

const contexts = ['logs'] as const;

export const takeCommands: readonly Command[] = [
  {
    id: 'log.copy-text',
    keys: ['y'],
    contexts,
    label: 'copy',
    group: 'pane',
    topic: 'copy',
    help: 'copy the text',
    title: 'copy short',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyLines(deck, terminal.clipboard, 'short'),
  },
  {
    id: 'log.export',
    keys: ['S'],
    contexts,
    label: 'download',
    group: 'pane',
    topic: 'copy',
    help: 'download',
    title: 'download lines',
    synonyms: ['export', 'get', 'file'],
    run: ({ deck }) => promptExport(deck),
  },
  {
    id: 'log.pipe',
    keys: ['|'],
    contexts,
    group: 'pane',
    topic: 'copy',
    help: 'pipe to a command',
    title: 'pipe lines',
    synonyms: ['shell', 'grep', 'jq', 'wc', 'command'],
    run: ({ deck, terminal }) => promptPipe(deck, terminal),
  },
  {
    id: 'log.select',
    keys: ['v'],
    contexts,
    label: 'select',
    group: 'pane',
    topic: 'copy',
    help: 'select lines',
    title: 'select lines',
    synonyms: ['range', 'visual'],
    run: ({ deck }) => deck.opened.getState().tail?.view.toggleSelection(),
  },
];
