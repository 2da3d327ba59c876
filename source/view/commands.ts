import type { Console } from '../store/console.ts';
import {
  boxAnswersAfter,
  closeView,
  escapeStep,
  holdsView,
  logTimes,
  messageLife,
  openView,
  type Pane,
  panes,
} from '../store/screen.ts';
import { openDifference, renewDifference, stepToChange } from './diff-commands.ts';
import { type Clipboard, copyRows, printCopied } from './copy.ts';
import { editFile } from './edit-commands.ts';
import { type Handed, handOut } from './external-editor.ts';
import { fileHere, treeRowUnderCursor } from './file-subject.ts';
import { askDeletion } from './delete-files.ts';
import type { Command } from './keymap.ts';
import { askToLeave } from './leave.ts';
import { toggleMark } from './mark-files.ts';
import { askMove } from './move-files.ts';
import { moveBy, moveSideways, type PaneExtent } from './movement.ts';
import { askCopy, askNewFile } from './new-file.ts';
import { askPutBack } from './put-back.ts';
import { askRestart, cancelRestart } from './restart-commands.ts';
import { deploymentUnderCursor, rowUnderCursor } from './row-under-cursor.ts';
import { askSave } from './save-files.ts';
import { servicesOf } from './subject.ts';
import { askUpload } from './upload-files.ts';

/** What only the program around the view can do. */
export interface Terminal {
  quit(): void;
  suspend(): void;
  redraw(): void;
  /** Hands a text to the person's own editor; undefined when the terminal is given away already. */
  readonly hand: (text: string, name: string) => Promise<Handed | undefined>;
  readonly clipboard: Clipboard;
}

export interface Action {
  readonly console: Console;
  readonly terminal: Terminal;
  readonly extent: PaneExtent;
}

/** Columns: further, a key would have to be pressed as often before anything moves back. */
const mostWidened = 40;

const infinite = Number.POSITIVE_INFINITY;

/** What each command does. Which key asks for it is the keymap's business. */
export const commands: Readonly<Record<Command, (action: Action) => void>> = {
  down: ({ console, extent }) => moveBy(console, 1, extent),
  up: ({ console, extent }) => moveBy(console, -1, extent),
  'half-down': ({ console, extent }) => moveBy(console, Math.ceil(extent.rows / 2), extent),
  'half-up': ({ console, extent }) => moveBy(console, -Math.ceil(extent.rows / 2), extent),
  'page-down': ({ console, extent }) => moveBy(console, Math.max(1, extent.rows - 1), extent),
  'page-up': ({ console, extent }) => moveBy(console, -Math.max(1, extent.rows - 1), extent),
  first: ({ console, extent }) => moveBy(console, -infinite, extent),
  last: ({ console, extent }) => moveBy(console, infinite, extent),
  left: ({ console }) => moveSideways(console, -1),
  right: ({ console }) => moveSideways(console, 1),
  'pane-1': ({ console }) => focusPane(console, 'deployments'),
  'pane-2': ({ console }) => focusPane(console, 'files'),
  'pane-3': ({ console }) => focusPane(console, 'grants'),
  'pane-4': ({ console }) => focusPane(console, 'main'),
  'next-pane': ({ console }) => stepPane(console, 1),
  'previous-pane': ({ console }) => stepPane(console, -1),
  tail: ({ console }) => toggleTail(console),
  open: ({ console }) => openRow(console),
  edit: ({ console }) => void editRow(console),
  'external-editor': ({ console, terminal }) => void editRow(console, terminal),
  difference: ({ console }) => compareRow(console),
  'next-change': ({ console, extent }) => stepToChange(console, 1, extent),
  'previous-change': ({ console, extent }) => stepToChange(console, -1, extent),
  logs: ({ console }) => openLogs(console),
  details: ({ console }) => openDetails(console),
  fold: ({ console }) => setFold(console, true),
  unfold: ({ console }) => setFold(console, false),
  mark: ({ console }) => toggleMark(console),
  'new-file': ({ console }) => askNewFile(console),
  'copy-file': ({ console }) => askCopy(console),
  'move-files': ({ console }) => askMove(console),
  'delete-files': ({ console }) => void askDeletion(console),
  upload: ({ console }) => askUpload(console),
  'save-files': ({ console }) => askSave(console),
  'put-back': ({ console }) => void askPutBack(console),
  'copy-short': ({ console, terminal }) => void copyRows(console, terminal.clipboard, 'short'),
  'copy-whole': ({ console, terminal }) => void copyRows(console, terminal.clipboard, 'whole'),
  'print-copied': ({ console, terminal }) => void printCopied(console, terminal.clipboard),
  services: ({ console }) => askService(console),
  filter: ({ console }) => askFilter(console),
  restart: ({ console }) => askRestart(console, deploymentUnderCursor(console)),
  'cancel-restart': ({ console }) => cancelRestart(console, deploymentUnderCursor(console)),
  follow: ({ console }) => console.opened.getState().tail?.view.follow(),
  freeze: ({ console }) => console.opened.getState().tail?.view.toggle(),
  'retry-gap': ({ console }) => {
    refetch(console);
    console.opened.getState().tail?.log.retryGaps();
  },
  times: ({ console }) => {
    console.screen.setState(({ times }) => ({
      times: logTimes[(logTimes.indexOf(times) + 1) % logTimes.length] ?? 'time',
    }));
  },
  wrap: ({ console }) => {
    console.screen.setState(({ wrap }) => ({ wrap: !wrap, logLeft: 0 }));
    console.editor.act((text) => text.setWrap(console.screen.getState().wrap));
  },
  fullscreen: ({ console }) => {
    focusPane(console, 'main');
    console.screen.setState(({ fullscreen }) => ({ fullscreen: !fullscreen }));
  },
  wider: ({ console }) =>
    console.screen.setState(({ widen }) => ({ widen: Math.min(widen + 4, mostWidened) })),
  narrower: ({ console }) =>
    console.screen.setState(({ widen }) => ({ widen: Math.max(widen - 4, -mostWidened) })),
  refetch: ({ console }) => refetch(console),
  redraw: ({ terminal }) => terminal.redraw(),
  suspend: ({ console, terminal }) => askToLeave(console, 'suspend', () => terminal.suspend()),
  help: ({ console }) => {
    console.screen.setState(({ focus, overlay }) => ({
      overlay: { kind: 'help', pane: focus, page: 0, over: overlay },
    }));
  },
  escape: ({ console }) => {
    const step = escapeStep(console.screen.getState());
    if (step === undefined) console.screen.getState().transfer?.cancel();
    else console.screen.setState(step);
  },
  quit: ({ console, terminal }) => quitStep(console, terminal),
  interrupt: ({ console, terminal }) => {
    const { transfer } = console.screen.getState();
    if (transfer === undefined) quitStep(console, terminal);
    else transfer.cancel();
  },
};

/** Everything anew, the log's connection too when there is none. */
function refetch(console: Console): void {
  console.refresh.now();
  console.opened.getState().tail?.log.retry();
  const { opened } = console.files.state.getState();
  const { main } = console.screen.getState();
  if (main.kind === 'diff') void renewDifference(console);
  if (main.kind === 'file' && opened !== undefined) {
    void console.files.open(opened.path);
  }
}

/** Milliseconds of rest after which what is likely to be wanted next is loaded. */
const prepareAfter = 300;

function focusPane(console: Console, pane: Pane): void {
  if (pane === 'files') console.clock.after(prepareAfter, () => console.editor.prepare());
  console.screen.setState(({ focus, cameFrom }) =>
    pane === 'main'
      ? { focus: pane, cameFrom: focus === 'main' ? cameFrom : focus }
      : { focus: pane, fullscreen: false },
  );
}

function stepPane(console: Console, step: number): void {
  const { focus } = console.screen.getState();
  const next = panes.at((panes.indexOf(focus) + step) % panes.length);
  if (next !== undefined) focusPane(console, next);
}

/** The log in front, and with a second press back to the pane or the editor that was left for it. */
function toggleTail(console: Console): void {
  const { file } = console.editor.state.getState();
  console.screen.setState((screen) => {
    const isEditor = holdsView(screen.main, 'editor');
    if (screen.tailOverEditor && !isEditor && file !== undefined) {
      return { main: { kind: 'editor' }, focus: 'main', tailOverEditor: false };
    }
    if (screen.focus === 'main' && screen.main.kind === 'logs') {
      return { focus: screen.cameFrom, fullscreen: false };
    }
    return { ...openView(screen, { kind: 'logs' }), tailOverEditor: isEditor };
  });
}

function openRow(console: Console): void {
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
async function editRow(console: Console, terminal?: Terminal): Promise<void> {
  const file = fileHere(console, 'A folder is not edited. Enter unfolds it.');
  if (file !== undefined) await editFile(console, file);
  if (terminal !== undefined) await handOut(console, terminal);
}

function compareRow(console: Console): void {
  const file = fileHere(console, 'A folder has no draft. Enter unfolds it.');
  if (file !== undefined) void openDifference(console, file);
}

function openLogs(console: Console): void {
  const id = deploymentUnderCursor(console);
  if (id === undefined) return;
  console.openDeployment(id);
  console.screen.setState((screen) => openView(screen, { kind: 'logs' }));
}

/** Details of the row under the cursor; of an answer that could not be read, the answer itself. */
function openDetails(console: Console): void {
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

function setFold(console: Console, folded: boolean): void {
  const row = treeRowUnderCursor(console);
  if (row?.folder === true && row.open === folded) console.files.toggleFold(row.path);
}

function askService(console: Console): void {
  if (servicesOf(console).length === 0) {
    console.say('The service names no services of this deployment.');
    return;
  }
  console.screen.setState({ overlay: { kind: 'services', narrow: '', caret: 0 } });
}

function askFilter(console: Console): void {
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

/** Asks; any other key takes the question back. */
export const quitQuestion = 'q again quits.';

/**
 * `q` closes the view, full screen first; at the panes a second press quits. That one counts only
 * after the first one's answer could be read, and not long after (screens, rules 4 and 6).
 */
function quitStep(console: Console, terminal: Terminal): void {
  const { screen, clock } = console;
  const state = screen.getState();
  if (state.fullscreen) return screen.setState({ fullscreen: false });
  if (state.focus === 'main' && state.main.kind !== 'logs') return screen.setState(closeView);
  if (state.transfer !== undefined) {
    return console.say(`${state.transfer.verb} is under way. ^C ends it.`);
  }
  const asked = state.quitAskedAt;
  const now = clock.now();
  if (asked !== undefined && now - asked >= boxAnswersAfter && now - asked < messageLife) {
    return askToLeave(console, 'quit', () => terminal.quit());
  }
  console.say(quitQuestion);
  if (asked === undefined || now - asked >= messageLife) screen.setState({ quitAskedAt: now });
}
