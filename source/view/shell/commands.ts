import type { Console } from '../../store/deck/deck.ts';
import { staysUntilEscape } from '../../store/deck/screen.ts';
import { escapeStep } from '../../store/deck/screen-steps.ts';
import type { Action } from '../command/action.ts';
import { askClose, askRestartHere, stopBatch } from '../deployments/batch-commands.ts';
import { askDeletion } from '../files/delete-files.ts';
import { toggleRaw } from '../details/details.ts';
import { renewDifference, stepToChange } from '../editor/diff-commands.ts';
import { askGrant, askGrantLike, askRevocation } from '../grants/commands.ts';
import type { Command } from './keymap.ts';
import { askToLeave } from '../editor/leave.ts';
import { askLines } from '../log/prompts.ts';
import { escapeLog, stepToMatch } from '../log/queries.ts';
import { askLogServices } from '../log/services.ts';
import { copyHere, printHere } from '../log/copy.ts';
import { openLine } from '../log/details.ts';
import { seekError } from '../log/error-step.ts';
import { stepLine } from '../log/line-step.ts';
import { askExport } from '../log/export.ts';
import { endSelection } from '../log/range.ts';
import { toggleMark } from '../files/mark-files.ts';
import { askMove } from '../files/move-files.ts';
import {
  askTime,
  retryGaps,
  stepTimes,
  stepToMark,
  stopSeek,
  toggleLineMark,
} from '../log/commands.ts';
import { moveBy, moveSideways } from './movement.ts';
import { askNewDeployment, composeLike } from '../deployments/new-deployment.ts';
import { askCopy, askNewFile } from '../files/new-file.ts';
import { openPalette } from './palette/open-palette.ts';
import { reverseOrder, stepOrder } from './order-commands.ts';
import { focusPane, stepPane, toggleTail } from './pane-commands.ts';
import { askPutBack } from '../files/restore.ts';
import { quitStep } from './quit-commands.ts';
import { cancelRestart } from '../restarts/commands.ts';
import {
  askFilter,
  askService,
  compareRow,
  editRow,
  openDetails,
  openLogs,
  openRow,
  setFold,
} from './row-commands.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';
import { askSave } from '../files/download-files.ts';
import { askUpload } from '../files/upload-files.ts';

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
  'new-deployment': ({ console }) => askNewDeployment(console),
  'deployment-like-this': ({ console }) => void composeLike(console),
  'close-deployments': ({ console }) => void askClose(console),
  'new-file': ({ console }) => askNewFile(console),
  'copy-file': ({ console }) => askCopy(console),
  'move-files': ({ console }) => askMove(console),
  'delete-files': ({ console }) => void askDeletion(console),
  grant: ({ console }) => askGrant(console),
  'grant-like': ({ console }) => askGrantLike(console),
  revoke: ({ console }) => void askRevocation(console),
  upload: ({ console }) => askUpload(console),
  'save-files': ({ console }) => askSave(console),
  'put-back': ({ console }) => void askPutBack(console),
  'raw-answer': ({ console }) => toggleRaw(console),
  'copy-short': ({ console, terminal }) => void copyHere(console, terminal.clipboard, 'short'),
  'copy-whole': ({ console, terminal }) => void copyHere(console, terminal.clipboard, 'whole'),
  'print-copied': ({ console, terminal, extent }) =>
    void printHere(console, terminal.clipboard, extent.rows),
  'line-details': ({ console }) => openLine(console),
  'select-lines': ({ console }) => console.opened.getState().tail?.view.select(),
  'save-lines': ({ console }) => askExport(console),
  services: ({ console }) => askService(console),
  filter: ({ console }) => askFilter(console),
  order: ({ console }) => stepOrder(console),
  'reverse-order': ({ console }) => reverseOrder(console),
  restart: ({ console }) => askRestartHere(console),
  'cancel-restart': ({ console }) => cancelRestart(console, deploymentUnderCursor(console)),
  follow: ({ console }) => console.opened.getState().tail?.view.follow(),
  freeze: ({ console }) => console.opened.getState().tail?.view.toggle(),
  'retry-gap': ({ console }) => {
    retryGaps(console);
    refetch(console);
  },
  search: ({ console }) => askLines(console, 'search'),
  'filter-lines': ({ console }) => askLines(console, 'filter'),
  'log-services': ({ console }) => askLogServices(console),
  'newer-match': ({ console }) => stepToMatch(console, 'newer'),
  'older-match': ({ console }) => stepToMatch(console, 'older'),
  times: ({ console }) => stepTimes(console),
  'go-to-time': ({ console }) => askTime(console),
  'next-error': ({ console, extent }) => seekError(console, 1, extent),
  'previous-error': ({ console, extent }) => seekError(console, -1, extent),
  'mark-line': ({ console }) => toggleLineMark(console),
  'next-mark': ({ console, extent }) => stepToMark(console, extent),
  'newer-line': ({ console }) => stepLine(console, 'newer'),
  'older-line': ({ console }) => stepLine(console, 'older'),
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
  palette: (action) =>
    void openPalette(action, { command: (name) => commands[name](action), edit() {} }),
  help: ({ console }) => {
    console.screen.setState(({ focus, overlay }) => ({
      overlay: { kind: 'help', pane: focus, page: 0, over: overlay },
    }));
  },
  escape: ({ console }) => {
    if (stopSeek(console)) return;
    if (!staysUntilEscape(console.screen.getState().message) && endSelection(console)) return;
    if (escapeLog(console)) return;
    const step = escapeStep(console.screen.getState());
    if (step === undefined) console.screen.getState().transfer?.cancel();
    else console.screen.setState(step);
  },
  quit: ({ console, terminal }) => quitStep(console, terminal),
  interrupt: ({ console, terminal }) => {
    const { transfer } = console.screen.getState();
    if (stopSeek(console)) return;
    if (transfer !== undefined) transfer.cancel();
    else if (!stopBatch(console)) quitStep(console, terminal);
  },
};

/** Everything anew, the log's connection too when there is none. */
function refetch(console: Console): void {
  console.refresh.now();
  console.opened.getState().tail?.log.retry();
  const { opened } = console.files.state.getState();
  const { main } = console.screen.getState();
  if (main.kind === 'line' && main.entry.kind === 'gap') retryGaps(console);
  if (main.kind === 'diff') void renewDifference(console);
  if (main.kind === 'file' && opened !== undefined) {
    void console.files.open(opened.path);
  }
}
