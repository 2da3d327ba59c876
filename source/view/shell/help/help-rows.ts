/** Lists the commands of a pane for the help, topic by topic, and searches them. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { Pane } from '../../../store/deck/screen/focus.ts';
import {
  type Command,
  contextDigit,
  contextName,
  contextOf,
  type HelpTopic,
  type KeyContext,
  keyContexts,
} from '../../command/command.ts';
import { keyLabel } from '../../command/key-label.ts';
import {
  type BoundCommand,
  type Commands,
  isListed,
  shownCommands,
} from '../../command/registry.ts';

/** A row of the help: the heading of a topic, or a command. */
export type HelpRow =
  | { readonly kind: 'topic'; readonly text: string }
  | {
      readonly kind: 'command';
      /** Id of the command. */
      readonly id: string;
      /** Keys in the usual notation; `:` for a command that has only a name. */
      readonly keys: string;
      readonly help: string;
      /** Pane or view in which the keys work. */
      readonly context: KeyContext;
      /** Synonym that was searched, else the command's own note or its name in the palette. */
      readonly note: string;
    };

/** Topics in the order of the help, with their headings; that of `pane` is the name of the pane. */
const headings: Readonly<Record<HelpTopic, string>> = {
  pane: '',
  document: 'DOCUMENT',
  follow: 'FOLLOW',
  find: 'FIND',
  text: 'TEXT',
  copy: 'COPY',
  open: 'OPEN',
  view: 'DISPLAY',
  restart: 'RESTART',
  move: 'MOVE',
  panes: 'PANES',
  program: 'HOSTDECK',
  name: 'BY NAME',
};

const topics = Object.keys(headings) as readonly HelpTopic[];

/** Returns the topic of a command: its own, or that of its group. */
function topicOf({ topic, group }: Command): HelpTopic {
  if (topic !== undefined) return topic;
  switch (group) {
    case 'list':
      return 'find';
    case 'type':
      return 'text';
    case 'command':
    case 'refresh':
    case 'screen':
    case 'leave':
    case 'help':
      return 'program';
    case 'pane':
    case 'view':
    case 'open':
    case 'copy':
    case 'restart':
    case 'move':
    case 'panes':
    case 'name':
    case 'document':
    case 'text':
      return group;
  }
}

/** Returns the rows of the help: the commands in which every typed word is found, by topic. */
export function helpRows(
  commands: readonly BoundCommand[],
  context: KeyContext,
  typed = '',
): readonly HelpRow[] {
  const words = wordsOf(typed);
  const listed = commands.filter((bound) => isInHelp(bound) && isFound(bound, words));
  return topics.flatMap((topic): readonly HelpRow[] => {
    const own = listed.filter(({ command }) => topicOf(command) === topic);
    const text = topic === 'pane' ? contextName(context).toUpperCase() : headings[topic];
    return rowsUnder(text, own, context, words);
  });
}

/**
 * Returns the rows of the open help. A search finds the commands of all other panes and views too, below
 * those of the own one, under the name of the first where their keys work.
 */
export function openHelpRows(
  deck: Deck,
  commands: Commands,
  { pane, text }: { readonly pane: Pane; readonly text: string },
): readonly HelpRow[] {
  const context = contextOf(pane, deck.screen.getState().main);
  const own = shownCommands(commands, context, deck);
  const words = wordsOf(text);
  const rows = helpRows(own, context, text);
  if (words.length === 0) return rows;
  const listed = new Set(own.map(({ command }) => command.id));
  const others = keyContexts.flatMap((other) => {
    const found = shownCommands(commands, other, deck).filter(
      (bound) => !listed.has(bound.command.id) && isInHelp(bound) && isFound(bound, words),
    );
    for (const { command } of found) listed.add(command.id);
    const heading = `${contextDigit(other)} ${contextName(other).toUpperCase()}`;
    return rowsUnder(heading, found, other, words);
  });
  return [...rows, ...others];
}

/** Returns commands below a heading; nothing without commands. */
function rowsUnder(
  text: string,
  commands: readonly BoundCommand[],
  context: KeyContext,
  words: readonly string[],
): readonly HelpRow[] {
  const rows = commands.map((bound) => commandRow(bound, context, words));
  return rows.length === 0 ? [] : [{ kind: 'topic', text }, ...rows];
}

/** Returns true for a command with a listed key, or with a name in place of one. */
function isInHelp(bound: BoundCommand): boolean {
  const { command, keys } = bound;
  return (
    isListed(bound) ||
    (keys.length === 0 && command.title !== undefined && command.group === 'name')
  );
}

function commandRow(bound: BoundCommand, context: KeyContext, words: readonly string[]): HelpRow {
  const { command, keys, help } = bound;
  const { id, title, synonyms = [] } = command;
  const isShown = (word: string) => textsOf(bound).some((text) => holds(text, word));
  const hidden = words.find((word) => !isShown(word));
  const synonym = hidden === undefined ? undefined : synonyms.find((one) => holds(one, hidden));
  const name = title === undefined ? '' : `:${title}`;
  const note = synonym ?? command.note ?? (title === help ? '' : name);
  const shownKeys = keys.length === 0 ? ':' : keysOf(keys);
  return { kind: 'command', id, keys: shownKeys, help, context, note };
}

function keysOf(keys: readonly string[]): string {
  return keys.map(keyLabel).join(' ');
}

/** Returns the words of a typed text in lower case. */
function wordsOf(typed: string): readonly string[] {
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function isFound(bound: BoundCommand, words: readonly string[]): boolean {
  const texts = [...textsOf(bound), ...(bound.command.synonyms ?? [])];
  return words.every((word) => texts.some((text) => holds(text, word)));
}

/** Returns the texts of the row that are searched. */
function textsOf({ command, keys, help }: BoundCommand): readonly string[] {
  return [...keys.map(keyLabel), help, command.title ?? ''];
}

/** Letters from which on a word is found inside of others, too; shorter ones would be in most. */
const shortestPart = 3;

/** Returns true when a word of the text begins with the typed one; a long one may be inside of it. */
function holds(text: string, word: string): boolean {
  const lower = text.toLowerCase();
  if (word.length >= shortestPart) return lower.includes(word);
  return lower.split(/[\s,:;.]+/).some((one) => one.startsWith(word)) || lower === word;
}

/**
 * Returns the index of the selected row. Without a selection it is the command of a typed key, or
 * else the first command; -1 without any.
 */
export function chosenRow(
  rows: readonly HelpRow[],
  chosen: string | undefined,
  typed: string,
): number {
  const isChosen = rows.findIndex((row) => row.kind === 'command' && row.id === chosen);
  if (isChosen !== -1) return isChosen;
  const key = typed.trim();
  const ofKey = rows.findIndex(
    (row) => row.kind === 'command' && row.keys.split(' ').includes(key),
  );
  return ofKey === -1 ? rows.findIndex(({ kind }) => kind === 'command') : ofKey;
}

/** Returns the id of the command `step` rows further, at most the last or the first one. */
export function stepHelp(rows: readonly HelpRow[], from: number, step: number): string | undefined {
  const ids = rows.flatMap((row) => (row.kind === 'command' ? [row.id] : []));
  const row = rows[from];
  const at = row?.kind === 'command' ? ids.indexOf(row.id) : 0;
  return ids[Math.max(0, Math.min(at + step, ids.length - 1))];
}

/** Returns the index of the first visible row of `room`, with the selected one in the middle. */
export function firstVisible(count: number, chosen: number, room: number): number {
  return Math.max(0, Math.min(chosen - Math.floor(room / 2), count - room));
}

/** Returns the visible commands and their number: `1-12 of 61`. */
export function helpRange(rows: readonly HelpRow[], first: number, room: number): string {
  const commandsIn = (shown: readonly HelpRow[]) =>
    shown.filter(({ kind }) => kind === 'command').length;
  const total = commandsIn(rows);
  if (total === 0) return '0 of 0';
  const before = commandsIn(rows.slice(0, first));
  const visible = commandsIn(rows.slice(first, first + room));
  return `${before + 1}-${before + visible} of ${total}`;
}
