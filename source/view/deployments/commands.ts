import { type Command, keyContexts } from '../command/command.ts';
import { openAnswer, openDeploymentDetails } from '../command/open-details.ts';
import { confirmClose, confirmRestartHere } from './batch.ts';
import { openTemplateMenu, createDeploymentLike } from './new-deployment.ts';
import { openLogsHere } from './open-logs.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { moveCursor } from '../../store/lists/cursor.ts';
import { allOrNoMarks } from '../../store/lists/marks.ts';
import { deploymentUnderCursor, deploymentName } from '../command/row-under-cursor.ts';
import { openRestartBox } from '../restarts/control.ts';
import { clipboardText } from '../../terminal/clipboard.ts';
import { type Clipboard, type CopyForm, copyText } from '../command/copy.ts';

const contexts = ['deployments'] as const;

/** Commands of the list of deployments. */
export const deploymentCommands: readonly Command[] = [
  {
    id: 'deployments.open',
    keys: ['enter'],
    note: 'the opened one has an o',
    contexts,
    label: 'logs',
    group: 'pane',
    help: 'open its log',
    title: 'open',
    run: ({ deck }) => openLogsHere(deck),
  },
  {
    id: 'deployments.create',
    keys: ['a'],
    contexts,
    label: 'create',
    group: 'pane',
    help: 'create...',
    title: 'new deployment',
    synonyms: ['add', 'launch', 'deploy'],
    preparesWrite: true,
    run: ({ deck }) => openTemplateMenu(deck),
  },
  {
    id: 'deployments.create-like',
    keys: ['A'],
    contexts,
    label: 'create like',
    group: 'pane',
    help: 'create like this',
    title: 'deployment like this',
    synonyms: ['clone', 'duplicate'],
    preparesWrite: true,
    run: ({ deck }) => void createDeploymentLike(deck),
  },
  {
    id: 'deployments.mark',
    keys: ['space'],
    contexts,
    label: 'mark',
    group: 'pane',
    help: 'mark',
    title: 'mark',
    synonyms: ['select', 'toggle'],
    run: ({ deck }) => toggleDeploymentMark(deck),
  },
  {
    id: 'deployments.mark-all',
    keys: ['*'],
    contexts,
    group: 'pane',
    help: 'mark all, or none',
    title: 'mark all',
    synonyms: ['select', 'unmark', 'none'],
    run: ({ deck }) => markAllDeployments(deck),
  },
  {
    id: 'deployments.close',
    keys: ['X'],
    contexts,
    label: 'close',
    group: 'pane',
    help: 'close...',
    title: 'close deployments',
    synonyms: ['delete', 'remove', 'rm', 'stop', 'kill', 'destroy'],
    forDeployment: { verb: 'close', run: ({ deck }, id) => void confirmClose(deck, id) },
    writes: true,
    run: ({ deck }) => void confirmClose(deck),
  },
  {
    id: 'deployments.logs',
    keys: ['l', 'right'],
    contexts,
    group: 'open',
    help: 'logs: row or marks',
    title: 'logs',
    synonyms: ['tail', 'output'],
    forDeployment: {
      verb: 'logs',
      run({ deck }, id) {
        deck.opened.open(id);
        deck.screen.view.open({ kind: 'logs' });
      },
    },
    run: ({ deck }) => openLogsHere(deck),
  },
  {
    id: 'deployments.details',
    keys: ['d'],
    contexts,
    label: 'details',
    group: 'open',
    help: 'details',
    title: 'details',
    synonyms: ['describe', 'info', 'show', 'inspect'],
    run({ deck }) {
      if (!openAnswer(deck, 'deployments')) openDeploymentDetails(deck);
    },
  },
  {
    id: 'deployments.copy-name',
    keys: ['y'],
    contexts,
    group: 'copy',
    help: 'copy the name',
    title: 'copy short',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyDeployments(deck, terminal.clipboard, 'short'),
  },
  {
    id: 'deployments.copy-id',
    keys: ['Y'],
    contexts,
    group: 'copy',
    help: 'copy the id',
    title: 'copy whole',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) => void copyDeployments(deck, terminal.clipboard, 'whole'),
  },
];

/** Restarts the marked deployments, else the one of the focused pane; for every pane. */
export const restartCommand: Command = {
  id: 'restarts.restart',
  keys: ['r', 'ctrl+r'],
  contexts: keyContexts,
  label: 'restart',
  group: 'restart',
  help: 'restart...',
  title: 'restart',
  synonyms: ['reboot', 'apply', 'reload'],
  subject: 'deployment',
  forDeployment: { verb: 'restart', run: ({ deck }, id) => openRestartBox(deck, id) },
  writes: true,
  // The text of a new deployment is not about the deployment that is open, and a grant not either.
  variant: ({ editor }, context) =>
    context === 'grants' ||
    (context === 'edit' && editor.state.getState().document?.kind === 'definition')
      ? { label: undefined }
      : undefined,
  run: ({ deck }) => confirmRestartHere(deck),
};

/** `Space`: marks the row under the cursor or removes its mark, and moves to the next row. */
function toggleDeploymentMark(deck: Pick<Deck, 'screen' | 'lists' | 'opened'>): void {
  const id = deploymentUnderCursor(deck);
  if (id === undefined) return;
  const { cursors } = deck.screen.getState();
  const cursor = moveCursor(deck.lists.deployments.ids(), cursors.deployments, 1);
  deck.screen.listViews.toggleMark('deployments', id, cursor);
}

/** Marks all shown deployments, or none. */
function markAllDeployments({ screen, lists }: Pick<Deck, 'screen' | 'lists'>): void {
  const { deploymentMarks } = screen.getState();
  screen.listViews.setDeploymentMarks(allOrNoMarks(deploymentMarks, lists.deployments.ids()));
}

/** Copies the names (short) or ids (whole) of the marked deployments, else of the row under the cursor. */
function copyDeployments(
  deck: Pick<Deck, 'screen' | 'messages' | 'lists' | 'deployments'>,
  clipboard: Clipboard,
  form: CopyForm,
): Promise<void> {
  const names = deploymentsToCopy(deck).map((one) =>
    form === 'short' ? deploymentName(deck, one) : one,
  );
  return copyText(deck, clipboard, clipboardText(names));
}

/** Returns the marked ids in the order of the rows, else the id under the cursor. */
function deploymentsToCopy({ screen, lists }: Pick<Deck, 'screen' | 'lists'>): readonly string[] {
  const { deploymentMarks } = screen.getState();
  if (deploymentMarks.size > 0) {
    return lists.deployments.ids().filter((id) => deploymentMarks.has(id));
  }
  const underCursor = lists.deployments.idUnderCursor();
  return underCursor === undefined ? [] : [underCursor];
}
