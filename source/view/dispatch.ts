import type { Console } from '../store/console.ts';
import { boxAnswersAfter, escapeStep, type Overlay, panes } from '../store/screen.ts';
import type { KeyEvent } from '../terminal/keys.ts';
import { type Action, commands, quitQuestion } from './commands.ts';
import { commandAbove, commandFor, contextOf } from './keymap.ts';
import { moveBy } from './movement.ts';
import { pastedLine, setFilter, withoutLastWord } from './prompt.ts';

/**
 * What is to happen with a key: nothing more, or the focused field gets it, or a field is about to
 * appear and what follows waits for it.
 */
export type Verdict = 'consumed' | 'pass' | 'hold';

/** Keys that belong to the text field itself. */
const fieldKeys = new Set(['left', 'right', 'backspace', 'delete', 'enter']);

/**
 * The root of all keys: what lies above the panes comes first, then the pane with the focus. A
 * paste is text for a field and nothing anywhere else.
 */
export function dispatch(input: KeyEvent, action: Action): Verdict {
  const { console } = action;
  const { overlay, focus, main } = console.screen.getState();
  if (overlay !== undefined) return dispatchAbove(input, overlay, action);
  if (input.name === 'paste') return 'consumed';
  const command = commandFor(contextOf(focus, main), input.name);
  if (command === undefined) return 'consumed';
  if (command !== 'quit' && command !== 'interrupt') {
    console.screen.setState(({ message }) => ({
      quitAskedAt: undefined,
      message: message?.text === quitQuestion ? undefined : message,
    }));
  }
  commands[command](action);
  return heldForField(console);
}

/** Whether a field is about to appear that what follows belongs to. */
function heldForField(console: Console): Verdict {
  const { overlay } = console.screen.getState();
  return overlay?.kind === 'filter' || overlay?.kind === 'services' ? 'hold' : 'consumed';
}

function dispatchAbove(input: KeyEvent, overlay: Overlay, action: Action): Verdict {
  const { console } = action;
  const command = commandAbove(input.name);
  if (command !== undefined) {
    const closesHelp = overlay.kind === 'help' && command !== 'redraw';
    commands[closesHelp ? 'escape' : command](action);
    return closesHelp ? heldForField(console) : 'consumed';
  }
  switch (overlay.kind) {
    case 'filter':
      return filterKey(input, overlay, action);
    case 'services':
      return serviceKey(input, overlay, console);
    case 'help':
      return helpKey(input, overlay, console);
    case 'restart':
      return restartKey(input, overlay, console);
  }
}

function filterKey(
  input: KeyEvent,
  overlay: Extract<Overlay, { kind: 'filter' }>,
  action: Action,
): Verdict {
  const { screen } = action.console;
  const typed = screen.getState().filters[overlay.pane];
  if (input.name === 'paste') {
    // The field is made anew with the cursor behind what was pasted.
    setFilter(action.console, overlay.pane, typed + pastedLine(input.text ?? ''));
    screen.setState({ overlay: { ...overlay, pastes: overlay.pastes + 1 } });
    return 'hold';
  }
  const { name } = input;
  switch (name) {
    case 'up':
    case 'down':
      moveBy(action.console, name === 'up' ? -1 : 1, action.extent);
      return 'consumed';
    case 'ctrl+u':
      setFilter(action.console, overlay.pane, '');
      return 'consumed';
    case 'ctrl+w':
      setFilter(action.console, overlay.pane, withoutLastWord(typed));
      return 'consumed';
    default:
      return fieldKeys.has(name) || input.text !== undefined ? 'pass' : 'consumed';
  }
}

function serviceKey(
  input: KeyEvent,
  overlay: Extract<Overlay, { kind: 'services' }>,
  console: Console,
): Verdict {
  const narrow = (text: string): Verdict => {
    console.screen.setState({ overlay: { ...overlay, narrow: text } });
    return 'consumed';
  };
  if (input.name === 'paste') return narrow(overlay.narrow + pastedLine(input.text ?? ''));
  if (input.name === 'backspace') return narrow(overlay.narrow.slice(0, -1));
  if (input.name === 'ctrl+u') return narrow('');
  if (['up', 'down', 'enter'].includes(input.name)) return 'pass';
  return input.text === undefined ? 'consumed' : narrow(overlay.narrow + input.text);
}

function helpKey(
  input: KeyEvent,
  overlay: Extract<Overlay, { kind: 'help' }>,
  console: Console,
): Verdict {
  if (input.name === 'paste') return 'consumed';
  const { screen } = console;
  if (input.name === 'tab' || input.name === 'shift+tab') {
    const step = input.name === 'tab' ? 1 : -1;
    const pane = panes.at((panes.indexOf(overlay.pane) + step) % panes.length) ?? 'main';
    screen.setState({ overlay: { ...overlay, pane } });
  } else if (['q', '?', 'enter'].includes(input.name)) {
    screen.setState((state) => escapeStep(state) ?? {});
    return heldForField(console);
  }
  return 'consumed';
}

const restartButtons = 2;

function restartKey(
  input: KeyEvent,
  overlay: Extract<Overlay, { kind: 'restart' }>,
  console: Console,
): Verdict {
  if (input.name === 'paste') return 'consumed';
  const { screen, clock } = console;
  const step = { tab: 1, right: 1, 'shift+tab': -1, left: -1 }[input.name];
  if (step !== undefined) {
    const button = (overlay.button + step + restartButtons) % restartButtons;
    screen.setState({ overlay: { ...overlay, button } });
    return 'consumed';
  }
  // Typed ahead of the box, Enter was not an answer to it.
  if (input.name === 'enter' && clock.now() - overlay.shownAt >= boxAnswersAfter) {
    screen.setState({ overlay: undefined });
    if (overlay.button === 1) void console.restart(overlay.deployment);
  }
  return 'consumed';
}
