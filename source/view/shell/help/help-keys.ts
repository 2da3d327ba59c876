import { panes } from '../../../store/deck/screen/focus.ts';
import type { Overlay } from '../../../store/deck/screen/overlay.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';
import type { Action } from '../../command/action.ts';
import { type Command, contextName, contextOf } from '../../command/command.ts';
import { keyLabel } from '../../command/key-label.ts';
import { type Commands, shownCommands } from '../../command/registry.ts';
import { runCommand } from '../../command/run-command.ts';
import { editLine } from '../../text/line-editor.ts';
import { chosenRow, openHelpRows, stepHelp } from './help-rows.ts';

type Helping = Extract<Overlay, { kind: 'help' }>;

/** Commands that the arrows and the pages move by. */
const steps: Readonly<Record<string, number>> = {
  up: -1,
  down: 1,
  pageup: -10,
  pagedown: 10,
};

/** Result of a key that closed the help, with what the command that it ran opens. */
export type ClosedHelp = Pick<Command, 'opens'>;

/**
 * Handles a key in the help: arrows move, Tab shows another pane, Enter runs the selected command,
 * other keys edit the search text. Returns undefined while the help stays open.
 */
export function helpKey(
  input: KeyEvent,
  open: Helping,
  action: Action,
  commands: Commands,
): ClosedHelp | undefined {
  const { screen } = action.deck;
  const { name } = input;
  const step = steps[name];
  if (step !== undefined) {
    const rows = openHelpRows(action.deck, commands, open);
    const chosen = stepHelp(rows, chosenRow(rows, open.chosen, open.text), step);
    screen.overlay.open({ ...open, chosen });
  } else if (name === 'tab' || name === 'shift+tab') {
    const turn = name === 'tab' ? 1 : -1;
    const pane = panes.at((panes.indexOf(open.pane) + turn) % panes.length) ?? 'main';
    screen.overlay.open({ ...open, pane, chosen: undefined });
  } else if (name === 'enter') return enterHelp(open, action, commands);
  else if (name === '?' && open.text === '') {
    screen.escape();
    return {};
  } else {
    const line = editLine(open, input);
    const isSame = line?.text === open.text;
    if (line !== undefined) {
      screen.overlay.open({ ...open, ...line, chosen: isSame ? open.chosen : undefined });
    }
  }
  return undefined;
}

/** Runs the selected command in the pane where its keys work. Over another box, Enter only returns to that box. */
function enterHelp(open: Helping, action: Action, commands: Commands): ClosedHelp | undefined {
  const { screen } = action.deck;
  if (open.over !== undefined) {
    screen.escape();
    return {};
  }
  const { deck } = action;
  const rows = openHelpRows(deck, commands, open);
  const row = rows[chosenRow(rows, open.chosen, open.text)];
  if (row?.kind !== 'command') return undefined;
  const bound = shownCommands(commands, row.context, deck).find(
    ({ command }) => command.id === row.id,
  );
  if (bound === undefined) return undefined;
  const { main } = screen.getState();
  const pane = panes.find((one) => contextOf(one, main) === row.context);
  if (pane === undefined) {
    deck.messages.say(`${row.keys} works in ${contextName(row.context)}.`);
    return undefined;
  }
  screen.overlay.closeInto(pane);
  const { command, keys } = bound;
  if (command.writes === true && command.title === undefined) {
    // The palette runs no command that writes without a confirmation either.
    deck.messages.say(`Press ${keys.map(keyLabel).join(' ')}. It writes at once.`);
    return {};
  }
  runCommand(command, action);
  return command.opens === undefined ? {} : { opens: command.opens };
}
