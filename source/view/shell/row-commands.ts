import type { Console } from '../../store/deck/deck.ts';
import { mostMembers } from '../../store/log/feed/joined.ts';
import { isOpened } from '../../store/deck/opened.ts';
import { noMarks } from '../../store/deck/screen.ts';
import { openView } from '../../store/deck/screen-steps.ts';
import type { Terminal } from '../command/action.ts';
import { openDifference } from '../editor/diff-commands.ts';
import { editFile } from '../editor/commands.ts';
import { handOut } from '../editor/external-editor.ts';
import { fileHere, treeRowUnderCursor } from '../files/subject.ts';
import { deploymentUnderCursor, rowUnderCursor } from '../command/row-under-cursor.ts';
import { servicesOf } from './pane-title.ts';

export function openRow(console: Console): void {
  const id = rowUnderCursor(console);
  if (id === undefined) return;
  switch (console.screen.getState().focus) {
    case 'deployments':
      return openLogs(console);
    case 'grants':
      console.screen.setState((screen) => openView(screen, { kind: 'grant', id }));
      return;
    case 'files':
      return openFileRow(console);
    case 'main':
  }
}

function openFileRow(console: Console): void {
  const row = treeRowUnderCursor(console);
  if (row === undefined) return;
  if (row.folder) return console.files.toggleFold(row.path);
  console.screen.setState((screen) => openView(screen, { kind: 'file' }));
  void console.files.open(row.path);
}

/** With a terminal, in the person's own editor. */
export async function editRow(console: Console, terminal?: Terminal): Promise<void> {
  const file = fileHere(console, 'A folder is not edited. Enter unfolds it.');
  if (file !== undefined) await editFile(console, file);
  if (terminal !== undefined) await handOut(console, terminal);
}

export function compareRow(console: Console): void {
  const file = fileHere(console, 'A folder has no draft. Enter unfolds it.');
  if (file !== undefined) void openDifference(console, file);
}

export function openLogs(console: Console): void {
  const id = deploymentUnderCursor(console);
  if (id === undefined) return;
  const marked = markedForLogs(console);
  if (marked.length > mostMembers) {
    console.say(
      `${marked.length} deployments are marked: one tail takes ${mostMembers}. Space takes a mark away.`,
      'bad',
    );
    return;
  }
  openTail(console, id, marked);
  console.screen.setState((screen) => openView(screen, { kind: 'logs' }));
}

/** What is marked where marks are seen, in the order of the list. */
function markedForLogs(console: Console): readonly string[] {
  const { focus, deploymentMarks } = console.screen.getState();
  if (focus !== 'deployments' || deploymentMarks.size === 0) return [];
  const { rows } = console.deployments.list.state.getState();
  return rows.map(({ value }) => value.id).filter((id) => deploymentMarks.has(id));
}

/** The log of the marked deployments, else of the one; what was marked for it is so no more. */
function openTail(console: Console, id: string, marked: readonly string[]): void {
  const [first] = marked;
  // Where no row stands for it alone, a tail that shows it with others goes on.
  const isShown = isOpened(console.opened.getState(), id);
  if (console.screen.getState().focus !== 'deployments' && isShown) return;
  if (first === undefined) return console.openDeployment(id);
  if (marked.length === 1) console.openDeployment(first);
  else console.openDeployment(marked.includes(id) ? id : first, marked);
  console.screen.setState({ deploymentMarks: noMarks });
}

/** Details of the row under the cursor; of an answer that could not be read, the answer itself. */
export function openDetails(console: Console): void {
  const { focus } = console.screen.getState();
  if (focus !== 'main') {
    const { error } = console[focus].list.state.getState();
    if (error?.answer !== undefined) {
      console.screen.setState((screen) => openView(screen, { kind: 'answer', pane: focus }));
      return;
    }
  }
  const grant = focus === 'grants' ? rowUnderCursor(console) : undefined;
  const deployment = focus === 'grants' ? undefined : deploymentUnderCursor(console);
  if (deployment !== undefined) void console.deployments.fetch(deployment);
  console.screen.setState((screen) => {
    if (grant !== undefined) return openView(screen, { kind: 'grant', id: grant });
    return deployment === undefined ? {} : openView(screen, { kind: 'deployment', id: deployment });
  });
}

export function setFold(console: Console, folded: boolean): void {
  const row = treeRowUnderCursor(console);
  if (row?.folder === true && row.open === folded) console.files.toggleFold(row.path);
}

export function askService(console: Console): void {
  if (servicesOf(console).length === 0) {
    console.say('The service names no services of this deployment.');
    return;
  }
  console.screen.setState({ overlay: { kind: 'services', narrow: '', caret: 0 } });
}

export function askFilter(console: Console): void {
  console.screen.setState((screen) => {
    const { focus: pane, filters, cursors } = screen;
    if (pane === 'main') return {};
    const before = filters[pane];
    return {
      // What is typed replaces the filter that was kept; Esc brings that back.
      filters: { ...filters, [pane]: '' },
      overlay: { kind: 'filter', pane, before, cursor: cursors[pane], caret: 0 },
    };
  });
}
