import type { Deck } from '../../store/deck/deck.ts';
import type { Overlay } from '../../store/deck/screen/overlay.ts';
import type { Action } from '../command/action.ts';
import { type Command, contextOf, type HelpGroup } from '../command/command.ts';
import { commandFor, type Commands } from '../command/registry.ts';
import { runCommand } from '../command/run-command.ts';
import { registeredCommands } from './commands.ts';
import { showHelp } from './program-commands.ts';
import { stepBack } from './quit-commands.ts';
import { typeKey } from '../editor/keys.ts';
import { findKey, leaveFind } from '../editor/find-steps.ts';
import { grantFormKey } from '../grants/form-keys.ts';
import { editLine } from '../text/line-editor.ts';
import { columnsKey } from '../log/columns/choose-columns.ts';
import { filterListKey } from '../log/filters.ts';
import { logServicesKey } from '../log/services.ts';
import { menuKey } from '../popup/menu-keys.ts';
import { moveBy } from './movement.ts';
import { editFilter } from './edit-filter.ts';
import { helpKey } from './help/help-keys.ts';
import { openPalette } from './palette/open-palette.ts';
import { paletteKey } from './palette/palette-keys.ts';
import { promptKey } from './prompts/prompt-keys.ts';
import { confirmKey } from './prompts/confirm-keys.ts';
import { scrollKey } from './prompts/scroll-keys.ts';
import { trashKey } from '../trash/keys.ts';
import { restartBoxKey, pendingBoxKey } from '../restarts/keys.ts';
import type { KeyResult } from '../command/key-result.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';

/**
 * Dispatches a key to the open overlay, or to the command of the focused pane. A paste is text for a
 * field or the editor and has no effect elsewhere.
 */
export function dispatch(
  input: KeyEvent,
  environment: Omit<Action, 'openPalette'>,
  commands: Commands = registeredCommands,
): KeyResult {
  const { deck, terminal } = environment;
  const action: Action = {
    deck,
    terminal,
    // A spread would compute it for each key; few commands need it.
    get viewport() {
      return environment.viewport;
    },
    openPalette: () => void openPalette(action, commands),
  };
  const { overlay, focus, main } = deck.screen.getState();
  if (overlay !== undefined) return dispatchToOverlay(input, overlay, action, commands);
  const context = contextOf(focus, main);
  const command = input.name === 'paste' ? undefined : commandFor(commands, context, input.name);
  if (command?.isConfirmedByRepeat !== true) deck.screen.message.withdrawLeave();
  if (command === undefined) {
    if (context === 'edit') typeKey(deck, input);
    return 'consumed';
  }
  if (focus !== 'main' && rowGroups.has(command.group)) deck.lists[focus].bindCursor();
  runCommand(command, action);
  return context === 'edit' && command.opens !== 'palette'
    ? 'consumed'
    : resultAfter(deck, command.opens);
}

/** Groups of the commands that act on the row under the cursor of a list. */
const rowGroups: ReadonlySet<HelpGroup> = new Set(['pane', 'open', 'copy', 'restart']);

/** Returns `hold` when a list or the editor is about to appear and receives the next keys. */
function resultAfter(deck: Deck, opens?: Command['opens']): KeyResult {
  const { overlay } = deck.screen.getState();
  if (overlay?.kind === 'menu') return 'hold';
  if (opens === 'palette') return 'hold';
  const isOpening = deck.editor.state.getState().opening !== undefined;
  return isOpening && opens === 'editor' ? 'hold' : 'consumed';
}

/** Keys that work the same in every overlay; all others go to the overlay. */
const overlayKeys: Readonly<Record<string, (action: Action) => void>> = {
  f1: ({ deck }) => showHelp(deck),
  'ctrl+l': ({ terminal }) => terminal.redraw(),
  'ctrl+c': ({ deck }) => stepBack(deck),
  escape: ({ deck }) => stepBack(deck),
};

function dispatchToOverlay(
  input: KeyEvent,
  overlay: Overlay,
  action: Action,
  commands: Commands,
): KeyResult {
  const { deck } = action;
  const run = overlayKeys[input.name];
  if (run !== undefined) {
    const closesHelp = overlay.kind === 'help' && input.name !== 'ctrl+l';
    const isEscape = input.name === 'escape' || input.name === 'ctrl+c';
    if (closesHelp) stepBack(deck);
    else run(action);
    if (overlay.kind === 'question' && isEscape) overlay.question.answer(0);
    if (overlay.kind === 'find' && isEscape) leaveFind(deck, overlay);
    if (overlay.kind === 'prompt' && isEscape) overlay.prompt.left?.();
    return closesHelp ? resultAfter(deck) : 'consumed';
  }
  if (scrollKey(input, overlay, deck.screen)) return 'consumed';
  switch (overlay.kind) {
    case 'filter':
      return filterKey(input, overlay, action);
    case 'menu':
      return menuKey(input, overlay, deck);
    case 'trash':
      return trashKey(input, overlay, deck);
    case 'log-columns':
      return columnsKey(input, overlay, deck);
    case 'log-filters':
      return filterListKey(input, overlay, deck);
    case 'log-services':
      return logServicesKey(input, overlay, deck);
    case 'help': {
      const closed = helpKey(input, overlay, action, commands);
      return closed === undefined ? 'consumed' : resultAfter(deck, closed.opens);
    }
    case 'find':
      return findKey(input, overlay, deck);
    case 'prompt':
      return promptKey(input, overlay, deck);
    case 'palette':
      return paletteKey(input, overlay, deck) ? resultAfter(deck, 'editor') : 'consumed';
    case 'question':
      return confirmKey(input, overlay, deck);
    case 'grant':
      return grantFormKey(input, overlay, deck);
    case 'restart':
      return restartBoxKey(input, overlay, deck);
    case 'restarts':
      return pendingBoxKey(input, overlay, deck);
  }
}

function filterKey(
  input: KeyEvent,
  overlay: Extract<Overlay, { kind: 'filter' }>,
  action: Action,
): KeyResult {
  const { deck, viewport } = action;
  const { screen } = deck;
  const { pane, caret } = overlay;
  const { name } = input;
  if (name === 'up' || name === 'down') {
    moveBy(deck, name === 'up' ? -1 : 1, viewport);
  } else if (name === 'enter') {
    screen.overlay.close();
  } else {
    const text = screen.getState().filters[pane];
    const line = editLine({ text, caret }, input);
    if (line !== undefined) editFilter(deck, overlay, line);
  }
  return 'consumed';
}
