import { type Command, paneContexts } from '../command/command.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';
import { cancelRestart } from './control.ts';

/** Commands of pending restarts, for every pane. */
export const restartCommands: readonly Command[] = [
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
