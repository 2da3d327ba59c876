import type { Deck } from '../../store/deck/deck.ts';
import { mostMembers } from '../../store/log/feed/joined.ts';
import { isOpened } from '../../store/deck/opened.ts';
import type { Terminal } from '../command/action.ts';
import { openDifference } from '../editor/diff-commands.ts';
import { editFile } from '../editor/commands.ts';
import { handOut } from '../editor/external-editor.ts';
import { fileHere, treeRowUnderCursor } from '../files/subject.ts';
import { deploymentUnderCursor, rowUnderCursor } from '../command/row-under-cursor.ts';
import { servicesOf } from './pane-title.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'deployments' | 'opened'>;

export function openRow(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files' | 'grants'>,
): void {
  const id = rowUnderCursor(deck);
  if (id === undefined) return;
  switch (deck.screen.getState().focus) {
    case 'deployments':
      return openLogsHere(deck);
    case 'grants':
      deck.screen.view.open({ kind: 'grant', id });
      return;
    case 'files':
      return openFileRow(deck);
    case 'main':
  }
}

function openFileRow(deck: Pick<Deck, 'screen' | 'files'>): void {
  const row = treeRowUnderCursor(deck);
  if (row === undefined) return;
  if (row.folder) return deck.files.toggleFold(row.path);
  deck.screen.view.open({ kind: 'file' });
  void deck.files.open(row.path);
}

/** With a terminal, in the person's own editor. */
export async function editRow(
  deck: Pick<
    Deck,
    'screen' | 'messages' | 'deployments' | 'files' | 'restarts' | 'drafts' | 'editor'
  >,
  terminal?: Terminal,
): Promise<void> {
  const file = fileHere(deck, 'A folder is not edited. Enter unfolds it.');
  if (file !== undefined) await editFile(deck, file);
  if (terminal !== undefined) await handOut(deck, terminal);
}

export function compareRow(deck: Pick<Deck, 'screen' | 'messages' | 'files' | 'editor'>): void {
  const file = fileHere(deck, 'A folder has no draft. Enter unfolds it.');
  if (file !== undefined) void openDifference(deck, file);
}

export function openLogsHere(deck: Handles): void {
  const id = deploymentUnderCursor(deck);
  if (id === undefined) return;
  const marked = markedForLogs(deck);
  if (marked.length > mostMembers) {
    deck.messages.say(
      `${marked.length} deployments are marked: one tail takes ${mostMembers}. Space takes a mark away.`,
      'bad',
    );
    return;
  }
  openTail(deck, id, marked);
  deck.screen.view.open({ kind: 'logs' });
}

/** What is marked where marks are seen, in the order of the list. */
function markedForLogs(deck: Pick<Deck, 'screen' | 'deployments'>): readonly string[] {
  const { focus, deploymentMarks } = deck.screen.getState();
  if (focus !== 'deployments' || deploymentMarks.size === 0) return [];
  const { rows } = deck.deployments.list.state.getState();
  return rows.map(({ value }) => value.id).filter((id) => deploymentMarks.has(id));
}

/** The log of the marked deployments, else of the one; what was marked for it is so no more. */
function openTail(
  deck: Pick<Deck, 'screen' | 'opened'>,
  id: string,
  marked: readonly string[],
): void {
  const [first] = marked;
  // Where no row stands for it alone, a tail that shows it with others goes on.
  const isShown = isOpened(deck.opened.getState(), id);
  if (deck.screen.getState().focus !== 'deployments' && isShown) return;
  if (first === undefined) return deck.opened.open(id);
  if (marked.length === 1) deck.opened.open(first);
  else deck.opened.open(marked.includes(id) ? id : first, marked);
  deck.screen.lists.clearMarks('deployments');
}

/** Details of the row under the cursor; of an answer that could not be read, the answer itself. */
export function openDetails(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'opened' | 'files' | 'grants'>,
): void {
  const { focus } = deck.screen.getState();
  if (focus !== 'main') {
    const { error } = deck[focus].list.state.getState();
    if (error?.answer !== undefined) {
      deck.screen.view.open({ kind: 'answer', pane: focus });
      return;
    }
  }
  const grant = focus === 'grants' ? rowUnderCursor(deck) : undefined;
  const deployment = focus === 'grants' ? undefined : deploymentUnderCursor(deck);
  if (deployment !== undefined) void deck.deployments.fetch(deployment);
  if (grant !== undefined) deck.screen.view.open({ kind: 'grant', id: grant });
  else if (deployment !== undefined) deck.screen.view.open({ kind: 'deployment', id: deployment });
}

export function setFold(deck: Pick<Deck, 'screen' | 'files'>, folded: boolean): void {
  const row = treeRowUnderCursor(deck);
  if (row?.folder === true && row.open === folded) deck.files.toggleFold(row.path);
}

export function askService(deck: Handles): void {
  if (servicesOf(deck).length === 0) {
    deck.messages.say('The service names no services of this deployment.');
    return;
  }
  deck.screen.overlay.open({ kind: 'services', narrow: '', caret: 0 });
}

export function askFilter(deck: Pick<Deck, 'screen'>): void {
  deck.screen.lists.openFilter();
}
