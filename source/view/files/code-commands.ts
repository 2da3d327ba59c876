/** The command that opens the place in code which a log line names. */
import { nameIn } from '../../store/drafts/places.ts';
import type { Restart } from '../../store/restarts/state.ts';
import type { Command } from '../command/command.ts';
import { editFile } from '../editor/document.ts';
import { codeUnderCursor } from '../log/details.ts';

type Handles = Parameters<typeof editFile>[0] & Parameters<typeof codeUnderCursor>[0];

export const codeCommands: readonly Command[] = [
  {
    id: 'files.edit-code',
    keys: ['enter'],
    contexts: ['details'],
    label: 'edit code',
    group: 'pane',
    help: 'edit at that line',
    title: 'edit code',
    synonyms: ['stack trace', 'source', 'go to line'],
    opens: 'editor',
    preparesWrite: true,
    variant: (deck) => (codeUnderCursor(deck) === undefined ? { isHidden: true } : undefined),
    run: ({ deck }) => void editCode(deck),
  },
];

/** Opens the file of the place in code under the cursor in the editor, at its line. */
async function editCode(deck: Handles): Promise<void> {
  const code = codeUnderCursor(deck);
  if (code === undefined) return;
  const { line, ...place } = code;
  if (!(await editFile(deck, place))) return;
  deck.editor.act((text) => text.goToLine(line));
  const restart = deck.restarts.state.getState().get(place.deploymentId);
  const isNewer = unappliedFiles(restart).some(
    ({ service, path }) => service === place.service && path === place.path,
  );
  if (isNewer) {
    deck.messages.say(`${nameIn(place.path)} was saved after the start that wrote this line.`);
  }
}

/** Returns the files that were saved and that no restart has applied yet. */
function unappliedFiles(restart: Restart | undefined) {
  if (restart === undefined) return [];
  const changes = restart.kind === 'restarting' ? restart.later : restart.changes;
  return changes?.files ?? [];
}
