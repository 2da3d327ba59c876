/** The command that opens the place in code which a log line names. */
import type { LogLine } from '../../contract/logs.ts';
import { type LocalPlace, nameIn } from '../../store/drafts/places.ts';
import { isSavedSince } from '../../store/log/code/running-version.ts';
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
  const { main } = deck.screen.getState();
  if (!(await editFile(deck, place))) return;
  deck.editor.act((text) => text.goToLine(line));
  const written = main.kind === 'line' && main.entry.kind === 'line' ? main.entry.line : undefined;
  if (isUnapplied(deck, place) || (written !== undefined && isSaved(deck, place, written))) {
    deck.messages.say(`${nameIn(place.path)} was saved after the start that wrote this line.`);
  }
}

/** Returns whether this console saved the file, and no restart has applied it yet. */
function isUnapplied({ restarts }: Handles, place: LocalPlace): boolean {
  return unappliedFiles(restarts.state.getState().get(place.deploymentId)).some(
    ({ service, path }) => service === place.service && path === place.path,
  );
}

/** Returns whether anybody saved the file after the start of the run that wrote a line. */
function isSaved(deck: Handles, place: LocalPlace, line: LogLine): boolean {
  const { rows } = deck.deployments.list.state.getState();
  const deployment = rows.find(({ value }) => value.id === place.deploymentId)?.value;
  const { file } = deck.editor.state.getState();
  const modifiedAt =
    file?.saving.state.getState().base?.modifiedAt ?? deck.files.ofServices.modifiedAt(place);
  return isSavedSince(line, deployment, modifiedAt) === true;
}

/** Returns the files that were saved and that no restart has applied yet. */
function unappliedFiles(restart: Restart | undefined) {
  if (restart === undefined) return [];
  const changes = restart.kind === 'restarting' ? restart.later : restart.changes;
  return changes?.files ?? [];
}
