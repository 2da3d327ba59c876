/**
 * Names of keys in texts. A person may bind other keys at the start, which hold until the program
 * ends, so the names are state of the module: every message and box would otherwise have to pass them.
 */
let chosen: ReadonlyMap<string, readonly string[]> = new Map();

/** Sets the names of the keys of commands with other keys than their own, by the ids of these. */
export function setKeyNames(names: ReadonlyMap<string, readonly string[]>): void {
  chosen = names;
}

/**
 * Returns the name of a command's key, as texts name it: the usual one where the command has it, else
 * its first; in the editor, where characters type, one that doesn't.
 * @param id id of the command.
 * @param usual label of the key that the command has unless a person binds another.
 */
export function keyName(id: string, usual: string): string {
  const names = chosen.get(id) ?? [];
  if (names.includes(usual)) return usual;
  return names.find((name) => isTyped(name) === isTyped(usual)) ?? names[0] ?? usual;
}

function isTyped(name: string): boolean {
  return Array.from(name).length === 1;
}
