/** Looks commands up by context and key, and orders them for the footer and the help. */
import type { Deck } from '../../store/deck/deck.ts';
import type { Command, HelpGroup, KeyContext } from './command.ts';

/** All commands; the list orders those of one group. */
export type Commands = readonly Command[];

/** A command with the keys and words that it has in one context. */
export interface BoundCommand {
  readonly command: Command;
  readonly keys: readonly string[];
  readonly label: string | undefined;
  readonly help: string;
}

const paneGroups: readonly HelpGroup[] = [
  'pane',
  'view',
  'open',
  'copy',
  'restart',
  'list',
  'command',
  'move',
  'panes',
  'refresh',
  'screen',
  'leave',
  'help',
  'name',
];

const editGroups: readonly HelpGroup[] = [
  'document',
  'restart',
  'panes',
  'text',
  'move',
  'type',
  'command',
  'screen',
  'leave',
  'help',
];

const boundCommands = new WeakMap<Commands, Map<KeyContext, readonly BoundCommand[]>>();

/** Returns the commands of a context, in the order of its footer and help. */
export function commandsIn(commands: Commands, context: KeyContext): readonly BoundCommand[] {
  const cache = boundCommands.get(commands) ?? new Map<KeyContext, readonly BoundCommand[]>();
  boundCommands.set(commands, cache);
  const bound = cache.get(context) ?? bindCommands(commands, context);
  cache.set(context, bound);
  return bound;
}

function bindCommands(commands: Commands, context: KeyContext): readonly BoundCommand[] {
  const groups = context === 'edit' ? editGroups : paneGroups;
  // A group that the context does not order comes last.
  const rank = ({ command }: BoundCommand): number =>
    groups.includes(command.group) ? groups.indexOf(command.group) : groups.length;
  return commands
    .filter(({ contexts }) => contexts.includes(context))
    .map((command) => ({
      command,
      keys: context === 'edit' ? command.keys.filter((key) => !isTyped(key)) : command.keys,
      label: typeof command.label === 'object' ? command.label[context] : command.label,
      help: command.help,
    }))
    .sort((a, b) => rank(a) - rank(b));
}

/** Returns true for a key that types a character. */
export function isTyped(key: string): boolean {
  return Array.from(key).length === 1 || key === 'space';
}

/** Returns the command of a key in a context; undefined for a key without one. */
export function commandFor(
  commands: Commands,
  context: KeyContext,
  key: string,
): Command | undefined {
  return commandsIn(commands, context).find(
    ({ command, keys }) => keys.includes(key) || command.quietKeys?.includes(key) === true,
  )?.command;
}

/** Returns the commands that footer and help show in the deck's state. */
export function shownCommands(
  commands: Commands,
  context: KeyContext,
  deck: Deck,
): readonly BoundCommand[] {
  const shown: BoundCommand[] = [];
  const moved: (readonly [after: string, BoundCommand])[] = [];
  for (const bound of commandsIn(commands, context)) {
    const { isHidden, after, ...words } = bound.command.variant?.(deck, context) ?? {};
    if (isHidden === true) continue;
    const varied = { ...bound, ...words };
    if (after === undefined) shown.push(varied);
    else moved.push([after, varied]);
  }
  for (const [after, bound] of moved) {
    const at = shown.findIndex(({ command }) => command.id === after);
    shown.splice(at === -1 ? shown.length : at + 1, 0, bound);
  }
  return shown;
}

/** Returns true for a command that the help and the documents list: with a key and not unlisted. */
export function isListed({ command, keys }: BoundCommand): boolean {
  return keys.length > 0 && command.isUnlisted !== true;
}

/** Returns the commands that the help and the documents list. */
export function listedCommands(bound: readonly BoundCommand[]): readonly BoundCommand[] {
  return bound.filter(isListed);
}
