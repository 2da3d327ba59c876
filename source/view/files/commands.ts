import type { Deck } from '../../store/deck/deck.ts';
import { fileRows } from '../../store/files/visible.ts';
import { moveCursor } from '../../store/lists/cursor.ts';
import { allOrNoMarks } from '../../store/lists/marks.ts';
import type { Command } from '../command/command.ts';
import { openAnswer, openDeploymentDetails } from '../command/open-details.ts';
import { openDifference } from '../editor/diff-steps.ts';
import { confirmDiscard } from '../editor/discard-draft.ts';
import { codeCommands } from './code-commands.ts';
import { editFile } from '../editor/document.ts';
import { copyPaths, copyViewed } from './copy.ts';
import { confirmDeletion } from './delete-files.ts';
import { promptDownload } from './download-files.ts';
import { promptCopy, promptMove } from './move-files.ts';
import { promptNewFile } from './new-file.ts';
import {
  openServiceMenu,
  compareRow,
  hasDraft,
  discardRow,
  editRow,
  enterRow,
  leaveRow,
  openFileRow,
} from './open-file.ts';
import { treeRowUnderCursor } from './subject.ts';
import { promptUpload } from './upload-files.ts';

const contexts = ['files'] as const;
const viewContexts = ['view'] as const;
const fileContexts = ['files', 'view'] as const;

/** Commands of the file tree and the file viewer. */
export const fileCommands: readonly Command[] = [
  {
    id: 'files.open',
    keys: ['enter'],
    contexts,
    label: 'view',
    group: 'pane',
    help: 'view or fold',
    title: 'open',
    synonyms: ['show', 'cat', 'less'],
    variant(deck) {
      const row = treeRowUnderCursor(deck);
      return row?.folder === true ? { label: row.open ? 'fold' : 'unfold' } : undefined;
    },
    run: ({ deck }) => openFileRow(deck),
  },
  {
    id: 'files.edit',
    keys: ['e'],
    contexts: fileContexts,
    label: 'edit',
    group: 'pane',
    help: 'edit',
    title: 'edit',
    synonyms: ['change', 'modify'],
    opens: 'editor',
    preparesWrite: true,
    forFile: { verb: 'edit', run: ({ deck }, file) => void editFile(deck, file) },
    run: ({ deck }) => void editRow(deck),
  },
  {
    id: 'files.external-editor',
    keys: ['ctrl+o'],
    contexts: fileContexts,
    group: 'pane',
    help: '$EDITOR',
    title: 'external editor',
    synonyms: ['vim', 'emacs', 'nano'],
    opens: 'editor',
    preparesWrite: true,
    run: ({ deck, terminal }) => void editRow(deck, terminal),
  },
  {
    id: 'files.create',
    keys: ['a'],
    contexts,
    label: 'new',
    group: 'pane',
    help: 'new file',
    title: 'new file',
    synonyms: ['add', 'create', 'touch'],
    preparesWrite: true,
    run: ({ deck }) => promptNewFile(deck),
  },
  {
    id: 'files.copy',
    keys: ['A'],
    contexts,
    group: 'pane',
    help: 'copy files',
    title: 'copy files',
    synonyms: ['cp', 'duplicate'],
    writes: true,
    run: ({ deck }) => promptCopy(deck),
  },
  {
    id: 'files.mark',
    keys: ['space'],
    contexts,
    label: 'mark',
    group: 'pane',
    help: 'mark',
    title: 'mark',
    synonyms: ['select', 'toggle'],
    run: ({ deck }) => toggleFileMark(deck),
  },
  {
    id: 'files.mark-all',
    keys: ['*'],
    contexts,
    group: 'pane',
    help: 'mark all, or none',
    title: 'mark all',
    synonyms: ['select', 'unmark', 'none'],
    run: ({ deck }) => markAllFiles(deck),
  },
  {
    id: 'files.move',
    keys: ['m'],
    contexts,
    label: 'move',
    group: 'pane',
    help: 'move, rename',
    title: 'move files',
    synonyms: ['mv'],
    writes: true,
    run: ({ deck }) => promptMove(deck),
  },
  {
    id: 'files.delete',
    keys: ['X'],
    contexts,
    label: 'delete',
    group: 'pane',
    help: 'delete...',
    title: 'delete files',
    synonyms: ['remove', 'rm', 'trash'],
    writes: true,
    run: ({ deck }) => void confirmDeletion(deck),
  },
  {
    id: 'files.upload',
    keys: ['p'],
    contexts,
    label: 'upload',
    group: 'pane',
    help: 'upload',
    title: 'upload',
    synonyms: ['put', 'push', 'send'],
    writes: true,
    run: ({ deck }) => promptUpload(deck),
  },
  {
    id: 'files.download',
    keys: ['S'],
    contexts: fileContexts,
    label: 'download',
    group: 'pane',
    help: 'download',
    title: 'download files',
    synonyms: ['save', 'get', 'pull', 'fetch'],
    run: ({ deck }) => promptDownload(deck),
  },
  {
    id: 'files.discard',
    keys: ['U'],
    contexts: fileContexts,
    group: 'pane',
    help: 'discard draft...',
    title: 'discard draft',
    synonyms: ['revert', 'reset', 'drop'],
    forFile: {
      verb: 'discard',
      needsDraft: true,
      run: ({ deck }, file) => void confirmDiscard(deck, file),
    },
    run: ({ deck }) => discardRow(deck),
  },
  {
    id: 'files.compare',
    keys: ['D'],
    contexts: fileContexts,
    group: 'pane',
    help: 'draft and service',
    title: 'difference',
    synonyms: ['diff', 'compare'],
    forFile: {
      verb: 'compare',
      needsDraft: true,
      run: ({ deck }, file) => void openDifference(deck, file),
    },
    variant: (deck, context) =>
      context === 'view' && hasDraft(deck) ? { label: 'compare draft' } : undefined,
    run: ({ deck }) => compareRow(deck),
  },
  {
    id: 'files.service',
    keys: ['s'],
    contexts,
    label: 'service',
    group: 'pane',
    help: 'choose the service',
    title: 'services',
    synonyms: ['switch', 'container'],
    run: ({ deck }) => openServiceMenu(deck),
  },
  {
    id: 'files.enter',
    keys: ['right', 'l'],
    contexts,
    group: 'pane',
    help: 'unfold, open',
    run: ({ deck }) => enterRow(deck),
  },
  {
    id: 'files.leave',
    keys: ['left', 'h'],
    contexts,
    group: 'pane',
    help: 'fold, parent',
    run: ({ deck }) => leaveRow(deck),
  },
  {
    id: 'files.details',
    keys: ['d'],
    contexts,
    label: 'details',
    group: 'open',
    help: 'details',
    title: 'details',
    synonyms: ['describe', 'info', 'inspect'],
    run({ deck }) {
      if (!openAnswer(deck, 'files')) openDeploymentDetails(deck);
    },
  },
  {
    id: 'files.copy-path',
    keys: ['y'],
    contexts,
    group: 'copy',
    help: 'copy the path',
    title: 'copy short',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyPaths(deck, terminal.clipboard, 'short'),
  },
  {
    id: 'files.copy-full-path',
    keys: ['Y'],
    contexts,
    group: 'copy',
    help: 'copy all',
    title: 'copy whole',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyPaths(deck, terminal.clipboard, 'whole'),
  },
  {
    id: 'files.copy-line',
    keys: ['y'],
    contexts: viewContexts,
    label: 'copy',
    group: 'copy',
    help: 'copy match or text',
    title: 'copy short',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyViewed(deck, terminal.clipboard, 'short'),
  },
  {
    id: 'files.copy-text',
    keys: ['Y'],
    contexts: viewContexts,
    group: 'copy',
    help: 'copy all',
    title: 'copy whole',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyViewed(deck, terminal.clipboard, 'whole'),
  },
  ...codeCommands,
];

/**
 * Marks all shown rows, or none. A mark on a folder covers all below it, so an unfolded folder is not
 * marked: a filter may hide some of its files.
 */
function markAllFiles(deck: Pick<Deck, 'screen' | 'files'>): void {
  const { filters, orders, marks } = deck.screen.getState();
  const rows = fileRows(deck.files, { filter: filters.files, order: orders.files });
  const shown = rows.filter(({ folder, open }) => !folder || !open).map(({ path }) => path);
  deck.screen.listViews.setFileMarks(allOrNoMarks(marks, shown));
}

/** Toggles the mark of the row under the cursor, then moves to the next row (`Space`). */
function toggleFileMark(deck: Pick<Deck, 'screen' | 'lists' | 'files'>): void {
  const path = treeRowUnderCursor(deck)?.path;
  if (path === undefined) return;
  const { cursors } = deck.screen.getState();
  const cursor = moveCursor(deck.lists.files.ids(), cursors.files, 1);
  deck.screen.listViews.toggleMark('files', path, cursor);
}
