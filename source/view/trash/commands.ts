import { type Command, paneContexts } from '../command/command.ts';
import { openTrash } from './undo.ts';

/** Commands that undo changes of files and drafts. */
export const trashCommands: readonly Command[] = [
  {
    id: 'trash.undo',
    keys: ['u'],
    contexts: paneContexts,
    label: { files: 'undo' },
    group: 'command',
    help: 'undo last change',
    title: 'undo',
    synonyms: ['restore', 'undelete', 'recover'],
    writes: true,
    variant: (_, context) => (context === 'files' ? { after: 'files.download' } : undefined),
    run: ({ deck }) => void openTrash(deck, false),
  },
  {
    id: 'trash.list',
    keys: [],
    contexts: paneContexts,
    group: 'name',
    help: 'undo any change',
    title: 'trash',
    synonyms: ['undo', 'deleted', 'discarded', 'restore', 'recover'],
    writes: true,
    run: ({ deck }) => void openTrash(deck, true),
  },
];
