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

export type Bound =
  | { readonly ok: true; readonly commands: Commands }
  | { readonly ok: false; readonly mistake: BindingMistake };

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

/** Returns the commands with the keys of the bindings in place of their own, or the first mistake. */
export function bindKeys(commands: Commands, bindings: KeyBindings): Bound {
  const chosen = new Map<string, readonly string[]>();
  for (const [id, texts] of bindings) {
    const keys = new Set<string>();
    const command = commands.find((one) => one.id === id);
    if (command === undefined) return { ok: false, mistake: unknownCommand(commands, id) };
    const fixed = command.keys.find((key) => fixedKeys.has(key));
    if (fixed !== undefined) {
      const sentence = `${id} always has ${keyLabel(fixed)}.`;
      return { ok: false, mistake: { id, sentence, next: 'Remove the line.' } };
    }
    for (const text of texts) {
      const key = readKeyName(text);
      const refusal = key === undefined ? unknownKey(text) : refusalOf(command, key);
      if (refusal !== undefined) return { ok: false, mistake: { id, ...refusal } };
      if (key !== undefined) keys.add(key);
    }
    chosen.set(id, [...keys]);
  }
  const bound = commands.map((command): Command => {
    const keys = chosen.get(command.id);
    return keys === undefined ? command : { ...command, keys, quietKeys: [] };
  });
  const [conflict] = keyConflicts(bound);
  return conflict === undefined
    ? { ok: true, commands: bound }
    : { ok: false, mistake: conflictMistake(conflict, bindings) };
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

function unknownCommand(commands: Commands, id: string): BindingMistake {
  const [noun, verb] = id.split('.');
  // The search for a near name compares a limited number of candidates.
  const candidates = commands
    .map((command) => command.id)
    .filter((known) => known.split('.')[0] === noun || known.split('.')[1] === verb);
  const near = findNearName(id, candidates);
  const next =
    near === undefined ? 'docs/keys.md lists the ids of the commands.' : `Did you mean ${near}?`;
  return { id, sentence: `Unknown command ${quoted(id)}.`, next };
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
  bindings: KeyBindings,
): BindingMistake {
  const id = [...bindings.keys()].findLast((one) => ids.includes(one)) ?? ids[0];
  const other = id === ids[0] ? ids[1] : ids[0];
  const label = keyLabel(key);
  const sentence = `${id} can't have ${label}, which ${other} has in ${contextName(context)}.`;
  return { id, sentence, next: `Choose another key, or another one for ${other}.` };
}

function quoted(text: string): string {
  return `"${text.slice(0, 40)}"`;
}
