/** Acts on clicks. No click writes: it selects, or it presses a key whose box asks first. */
import type { Deck } from '../../store/deck/deck.ts';
import type { ListPane } from '../../store/lists/list-panes.ts';
import { contextOf, type KeyContext } from '../command/command.ts';
import { type Commands, commandsIn } from '../command/registry.ts';
import type { ClickTarget } from '../parts/click-map.ts';
import { chooseDiffRow } from '../editor/diff-steps.ts';
import { moveToLogLine } from '../log/move.ts';
import { logCursor } from '../log/place.ts';
import { type BoxClickHandles, clickInBox } from './click-box.ts';
import { orderBy } from './order-commands.ts';

/** The handles that clicks act on. */
export type ClickHandles = BoxClickHandles & Pick<Deck, 'keyPause' | 'editor' | 'textSearch'>;

/** The command that Enter runs on a row, by its list. */
const openingCommands: Readonly<Record<ListPane, string>> = {
  deployments: 'deployments.open',
  files: 'files.open',
  grants: 'grants.open',
};

/**
 * Acts on a click, and returns the keys that it stands for. Nothing behind an open box or a prompt
 * takes clicks.
 * @param isRepeated whether the last input was a click on the same target.
 */
export function click(
  deck: ClickHandles,
  target: ClickTarget,
  commands: Commands,
  isRepeated: boolean,
): readonly string[] {
  const { overlay } = deck.screen.getState();
  deck.keyPause.keyPressed();
  if (overlay !== undefined) {
    return target.kind === 'box' ? clickInBox(deck, overlay, target.stop, isRepeated) : [];
  }
  const key = clickInPane(deck, target, commands, isRepeated);
  return key === undefined ? [] : [key];
}

/** Acts on a click beside boxes, and returns the key that it stands for; undefined without one. */
function clickInPane(
  deck: ClickHandles,
  target: ClickTarget,
  commands: Commands,
  isRepeated: boolean,
): string | undefined {
  const { focus, main } = deck.screen.getState();
  const context = contextOf(focus, main);
  if (target.kind === 'hint') return hintKey(deck, target.command, commands);
  // The editor keeps the keys until it is left.
  if (context === 'edit') return undefined;
  switch (target.kind) {
    case 'box':
      return undefined;
    case 'pane':
      deck.screen.focus.to(target.pane);
      return undefined;
    case 'detail': {
      const { key, index } = target;
      deck.screen.focus.to('main');
      deck.screen.view.moveInDetails({ id: key, index }, deck.screen.getState().scroll.top);
      return undefined;
    }
    case 'log-line':
      return clickLogLine(deck, target.seq, commands, isRepeated);
    case 'text-line':
      deck.screen.focus.to('main');
      deck.textSearch.choose(target.index);
      return undefined;
    case 'diff-row':
      deck.screen.focus.to('main');
      chooseDiffRow(deck, target.index);
      return undefined;
    case 'column':
      deck.screen.focus.to(target.pane);
      orderBy(deck, target.pane, target.order);
      return undefined;
    case 'row': {
      const { pane, id } = target;
      const isUnderCursor = focus === pane && deck.lists[pane].idUnderCursor() === id;
      if (isRepeated && isUnderCursor) return keyOf(commands, pane, openingCommands[pane]);
      if (focus !== pane) deck.screen.focus.to(pane);
      deck.lists[pane].moveCursorTo(id);
      return undefined;
    }
  }
}

/** Moves the cursor of the log, which pauses it; a second click opens the line. */
function clickLogLine(
  deck: ClickHandles,
  seq: number,
  commands: Commands,
  isRepeated: boolean,
): string | undefined {
  const { focus, main } = deck.screen.getState();
  const { tail } = deck.opened.getState();
  // The log below the editor takes no keys.
  if (main.kind !== 'logs' || tail === undefined) return undefined;
  if (isRepeated && focus === 'main' && logCursor(tail) === seq) {
    return keyOf(commands, 'logs', 'log.line-details');
  }
  if (focus !== 'main') deck.screen.focus.to('main');
  moveToLogLine(deck, seq);
  return undefined;
}

/** Returns the key of a hint; none for a command that writes without a box, as `^S` in the editor. */
function hintKey(
  { screen, messages }: Pick<Deck, 'screen' | 'messages'>,
  id: string,
  commands: Commands,
): string | undefined {
  const { focus, main } = screen.getState();
  const context = contextOf(focus, main);
  const bound = commandsIn(commands, context).find(({ command }) => command.id === id);
  if (context !== 'edit' || bound?.command.writes !== true) return bound?.keys[0];
  messages.say('A click writes nothing. Press the key.');
  return undefined;
}

function keyOf(commands: Commands, context: KeyContext, id: string): string | undefined {
  return commandsIn(commands, context).find(({ command }) => command.id === id)?.keys[0];
}
