import { type Command, keyContexts, paneContexts } from '../command/command.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';
import { askRestartHere } from '../deployments/batch.ts';
import { cancelRestart } from './control.ts';

/** Commands of restarts, which hold wherever a deployment is open. */
export const restartCommands: readonly Command[] = [
  {
    id: 'restarts.restart',
    keys: ['r', 'ctrl+r'],
    contexts: keyContexts,
    label: 'restart',
    group: 'restart',
    help: 'restart...',
    title: 'restart',
    synonyms: ['reboot', 'apply', 'reload'],
    subject: 'deployment',
    writes: true,
    // The text of a new deployment is not about the deployment that is open.
    variant: ({ editor }, context) =>
      context === 'edit' && editor.state.getState().document?.kind === 'definition'
        ? { label: undefined }
        : undefined,
    run: ({ deck }) => askRestartHere(deck),
  },
  {
    id: 'restarts.cancel',
    keys: ['c'],
    contexts: paneContexts,
    group: 'restart',
    help: 'cancel restart',
    title: 'cancel restart',
    synonyms: ['stop', 'abort'],
    subject: 'deployment',
    run: ({ deck }) => cancelRestart(deck, deploymentUnderCursor(deck)),
  },
];
