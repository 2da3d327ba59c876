/** Gives commands the keys that a person has chosen, and finds the mistakes in the choice. */
import { findNearName } from '../../contract/sdl/near-name.ts';
import { readKeyName } from '../../terminal/keys/key-name.ts';
import { type Command, contextName, type KeyContext, keyContexts } from './command.ts';
import { keyLabel } from './key-label.ts';
import { type Commands, commandsIn, isTyped } from './registry.ts';

/** Keys by the id of the command that they are for; none leave it without a key. */
export type KeyBindings = ReadonlyMap<string, readonly string[]>;

/** A binding that is refused. */
export interface BindingMistake {
  /** Id of the command in the binding. */
  readonly id: string;
  readonly sentence: string;
  readonly next: string;
}

/** Commands with their keys. A command whose binding is refused has its own keys. */
export interface Bound {
  readonly commands: Commands;
  readonly mistakes: readonly BindingMistake[];
}

/** Two commands with one key in one context. */
export interface KeyConflict {
  readonly context: KeyContext;
  readonly key: string;
  readonly ids: readonly [string, string];
}

/** Keys that boxes and titles name, which therefore can't move to another command. */
const fixedKeys: ReadonlySet<string> = new Set(['escape', 'ctrl+c', '1', '2', '3', '4']);

/** Keys of telnet and mosh, and characters that continue an Esc which arrives in two parts. */
export const foreignKeys: ReadonlySet<string> = new Set(['ctrl+]', 'ctrl+^', '[', ']', 'O']);

/** Returns the keys that have two meanings in a context. */
export function keyConflicts(commands: Commands): readonly KeyConflict[] {
  return keyContexts.flatMap((context) => {
    const owners = new Map<string, string>();
    return commandsIn(commands, context).flatMap(({ command, keys }): readonly KeyConflict[] =>
      [...keys, ...(command.quietKeys ?? [])].flatMap((key) => {
        const owner = owners.get(key);
        owners.set(key, command.id);
        return owner === undefined ? [] : [{ context, key, ids: [owner, command.id] as const }];
      }),
    );
  });
}

/** Returns the commands with the keys of the bindings in place of their own, and the refused bindings. */
export function bindKeys(commands: Commands, bindings: KeyBindings): Bound {
  const chosen = new Map<string, readonly string[]>();
  const mistakes: BindingMistake[] = [];
  for (const [id, texts] of bindings) {
    const refusal = bindingRefusal(commands, id, texts);
    if (refusal === undefined) chosen.set(id, [...new Set(texts.flatMap(keyOf))]);
    else mistakes.push({ id, ...refusal });
  }
  for (;;) {
    const bound = commands.map((command): Command => {
      const keys = chosen.get(command.id);
      return keys === undefined ? command : { ...command, keys, quietKeys: [] };
    });
    const [conflict] = chosen.size === 0 ? [] : keyConflicts(bound);
    if (conflict === undefined) return { commands: bound, mistakes };
    const mistake = conflictMistake(conflict, [...chosen.keys()]);
    mistakes.push(mistake);
    // Its own keys may be another one's now, so look again.
    if (!chosen.delete(mistake.id)) return { commands: bound, mistakes };
  }
}

function keyOf(text: string): readonly string[] {
  const key = readKeyName(text);
  return key === undefined ? [] : [key];
}

function bindingRefusal(
  commands: Commands,
  id: string,
  texts: readonly string[],
): Refusal | undefined {
  const command = commands.find((one) => one.id === id);
  if (command === undefined) return unknownCommand(commands, id);
  const fixed = command.keys.find((key) => fixedKeys.has(key));
  if (fixed !== undefined) {
    return { sentence: `${id} always has ${keyLabel(fixed)}.`, next: 'Remove the line.' };
  }
  for (const text of texts) {
    const key = readKeyName(text);
    const refusal = key === undefined ? unknownKey(text) : refusalOf(command, key);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Returns the labels of the keys of all commands by their ids; one without keys is run by its name. */
export function keyNamesOf(commands: Commands): ReadonlyMap<string, readonly string[]> {
  return new Map(
    commands.map(({ id, keys, title }) => [
      id,
      keys.length === 0 && title !== undefined ? [`:${title}`] : keys.map(keyLabel),
    ]),
  );
}

type Refusal = Omit<BindingMistake, 'id'>;

function unknownCommand(commands: Commands, id: string): Refusal {
  const [noun, verb] = id.split('.');
  // The search for a near name compares a limited number of candidates.
  const candidates = commands
    .map((command) => command.id)
    .filter((known) => known.split('.')[0] === noun || known.split('.')[1] === verb);
  const near = findNearName(id, candidates);
  const next =
    near === undefined ? 'docs/keys.md lists the ids of the commands.' : `Did you mean ${near}?`;
  return { sentence: `Unknown command ${quoted(id)}.`, next };
}

function unknownKey(text: string): Refusal {
  const next = 'A key is a character, or a name like enter, f5, ctrl+s, alt+m or shift+tab.';
  return { sentence: `There is no key ${quoted(text)}.`, next };
}

function refusalOf({ id, contexts }: Command, key: string): Refusal | undefined {
  const label = keyLabel(key);
  if (fixedKeys.has(key)) {
    return { sentence: `${id} can't have ${label}, which is fixed.`, next: 'Choose another key.' };
  }
  if (foreignKeys.has(key)) {
    const sentence = `${id} can't have ${label}, which terminals and connections use.`;
    return { sentence, next: 'Choose another key.' };
  }
  if (isTyped(key) && contexts.every((context) => context === 'edit')) {
    const next = 'Choose a function key, or one with Ctrl or Alt.';
    return { sentence: `${id} can't have ${label}, which types in the editor.`, next };
  }
  return undefined;
}

function conflictMistake(
  { context, key, ids }: KeyConflict,
  bound: readonly string[],
): BindingMistake {
  const id = bound.findLast((one) => ids.includes(one)) ?? ids[0];
  const other = id === ids[0] ? ids[1] : ids[0];
  const label = keyLabel(key);
  const sentence = `${id} can't have ${label}, which ${other} has in ${contextName(context)}.`;
  return { id, sentence, next: `Choose another key, or another one for ${other}.` };
}

function quoted(text: string): string {
  return `"${text.slice(0, 40)}"`;
}
