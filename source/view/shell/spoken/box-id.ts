const ids = new WeakMap<object, string>();
let count = 0;

/** Returns an id for an object, the same for each call: another box of the same kind has another one. */
export function idOfObject(kind: string, identity: object): string {
  const known = ids.get(identity);
  if (known !== undefined) return known;
  count += 1;
  const id = `${kind} ${count}`;
  ids.set(identity, id);
  return id;
}
