import type { Deck } from '../../store/deck/deck.ts';
import { staysUntilEscape } from '../../store/deck/screen/message.ts';
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
import { confirmRestore } from '../files/restore.ts';
import { quitStep } from './quit-commands.ts';
import { cancelRestart } from '../restarts/commands.ts';
import {
  askFilter,
  askService,
  compareRow,
  editRow,
  openDetails,
  openLogsHere,
  openRow,
  setFold,
} from './row-commands.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';
import { askSave } from '../files/download-files.ts';
import { askUpload } from '../files/upload-files.ts';

const infinite = Number.POSITIVE_INFINITY;

/** What each command does. Which key asks for it is the keymap's business. */
export const commands: Readonly<Record<Command, (action: Action) => void>> = {
  down: ({ deck, viewport }) => moveBy(deck, 1, viewport),
  up: ({ deck, viewport }) => moveBy(deck, -1, viewport),
  'half-down': ({ deck, viewport }) => moveBy(deck, Math.ceil(viewport.rows / 2), viewport),
  'half-up': ({ deck, viewport }) => moveBy(deck, -Math.ceil(viewport.rows / 2), viewport),
  'page-down': ({ deck, viewport }) => moveBy(deck, Math.max(1, viewport.rows - 1), viewport),
  'page-up': ({ deck, viewport }) => moveBy(deck, -Math.max(1, viewport.rows - 1), viewport),
  first: ({ deck, viewport }) => moveBy(deck, -infinite, viewport),
  last: ({ deck, viewport }) => moveBy(deck, infinite, viewport),
  left: ({ deck }) => moveSideways(deck, -1),
  right: ({ deck }) => moveSideways(deck, 1),
  'pane-1': ({ deck }) => focusPane(deck, 'deployments'),
  'pane-2': ({ deck }) => focusPane(deck, 'files'),
  'pane-3': ({ deck }) => focusPane(deck, 'grants'),
  'pane-4': ({ deck }) => focusPane(deck, 'main'),
  'next-pane': ({ deck }) => stepPane(deck, 1),
  'previous-pane': ({ deck }) => stepPane(deck, -1),
  tail: ({ deck }) => toggleTail(deck),
  open: ({ deck }) => openRow(deck),
  edit: ({ deck }) => void editRow(deck),
  'external-editor': ({ deck, terminal }) => void editRow(deck, terminal),
  difference: ({ deck }) => compareRow(deck),
  'next-change': ({ deck, viewport }) => stepToChange(deck, 1, viewport),
  'previous-change': ({ deck, viewport }) => stepToChange(deck, -1, viewport),
  logs: ({ deck }) => openLogsHere(deck),
  details: ({ deck }) => openDetails(deck),
  fold: ({ deck }) => setFold(deck, true),
  unfold: ({ deck }) => setFold(deck, false),
  mark: ({ deck }) => toggleMark(deck),
  'new-deployment': ({ deck }) => askNewDeployment(deck),
  'deployment-like-this': ({ deck }) => void composeLike(deck),
  'close-deployments': ({ deck }) => void askClose(deck),
  'new-file': ({ deck }) => askNewFile(deck),
  'copy-file': ({ deck }) => askCopy(deck),
  'move-files': ({ deck }) => askMove(deck),
  'delete-files': ({ deck }) => void askDeletion(deck),
  grant: ({ deck }) => askGrant(deck),
  'grant-like': ({ deck }) => askGrantLike(deck),
  revoke: ({ deck }) => void askRevocation(deck),
  upload: ({ deck }) => askUpload(deck),
  'save-files': ({ deck }) => askSave(deck),
  'put-back': ({ deck }) => void confirmRestore(deck),
  'raw-answer': ({ deck }) => toggleRaw(deck),
  'copy-short': ({ deck, terminal }) => void copyHere(deck, terminal.clipboard, 'short'),
  'copy-whole': ({ deck, terminal }) => void copyHere(deck, terminal.clipboard, 'whole'),
  'print-copied': ({ deck, terminal, viewport }) =>
    void printHere(deck, terminal.clipboard, viewport.rows),
  'line-details': ({ deck }) => openLine(deck),
  'select-lines': ({ deck }) => deck.opened.getState().tail?.view.select(),
  'save-lines': ({ deck }) => askExport(deck),
  services: ({ deck }) => askService(deck),
  filter: ({ deck }) => askFilter(deck),
  order: ({ deck }) => stepOrder(deck),
  'reverse-order': ({ deck }) => reverseOrder(deck),
  restart: ({ deck }) => askRestartHere(deck),
  'cancel-restart': ({ deck }) => cancelRestart(deck, deploymentUnderCursor(deck)),
  follow: ({ deck }) => deck.opened.getState().tail?.view.follow(),
  freeze: ({ deck }) => deck.opened.getState().tail?.view.toggle(),
  'retry-gap': ({ deck }) => {
    retryGaps(deck);
    refetch(deck);
  },
  search: ({ deck }) => askLines(deck, 'search'),
  'filter-lines': ({ deck }) => askLines(deck, 'filter'),
  'log-services': ({ deck }) => askLogServices(deck),
  'newer-match': ({ deck }) => stepToMatch(deck, 'newer'),
  'older-match': ({ deck }) => stepToMatch(deck, 'older'),
  times: ({ deck }) => stepTimes(deck),
  'go-to-time': ({ deck }) => askTime(deck),
  'next-error': ({ deck, viewport }) => seekError(deck, 1, viewport),
  'previous-error': ({ deck, viewport }) => seekError(deck, -1, viewport),
  'mark-line': ({ deck }) => toggleLineMark(deck),
  'next-mark': ({ deck, viewport }) => stepToMark(deck, viewport),
  'newer-line': ({ deck }) => stepLine(deck, 'newer'),
  'older-line': ({ deck }) => stepLine(deck, 'older'),
  wrap: ({ deck }) => {
    const wrap = deck.screen.reading.toggleWrap();
    deck.editor.act((text) => text.setWrap(wrap));
  },
  fullscreen: ({ deck }) => {
    focusPane(deck, 'main');
    deck.screen.focus.toggleFullscreen();
  },
  wider: ({ deck }) => deck.screen.layout.widen(4),
  narrower: ({ deck }) => deck.screen.layout.widen(-4),
  refetch: ({ deck }) => refetch(deck),
  redraw: ({ terminal }) => terminal.redraw(),
  suspend: ({ deck, terminal }) => askToLeave(deck, 'suspend', () => terminal.suspend()),
  palette: (action) =>
    void openPalette(action, { command: (name) => commands[name](action), edit() {} }),
  help: ({ deck }) => deck.screen.overlay.openHelp(),
  escape: ({ deck }) => {
    if (stopSeek(deck)) return;
    if (!staysUntilEscape(deck.screen.getState().message) && endSelection(deck)) return;
    if (escapeLog(deck)) return;
    if (!deck.screen.escape()) deck.screen.getState().transfer?.cancel();
  },
  quit: ({ deck, terminal }) => quitStep(deck, terminal),
  interrupt: ({ deck, terminal }) => {
    const { transfer } = deck.screen.getState();
    if (stopSeek(deck)) return;
    if (transfer !== undefined) transfer.cancel();
    else if (!stopBatch(deck)) quitStep(deck, terminal);
  },
};

/** Everything anew, the log's connection too when there is none. */
function refetch(
  deck: Pick<Deck, 'screen' | 'messages' | 'opened' | 'files' | 'editor' | 'refresh'>,
): void {
  deck.refresh.now();
  deck.opened.getState().tail?.log.retry();
  const { opened } = deck.files.state.getState();
  const { main } = deck.screen.getState();
  if (main.kind === 'line' && main.entry.kind === 'gap') retryGaps(deck);
  if (main.kind === 'diff') void renewDifference(deck);
  if (main.kind === 'file' && opened !== undefined) {
    void deck.files.open(opened.path);
  }
}
