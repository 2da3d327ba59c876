/** Lets the entry that was put in first go, where there are `most` of them already. */
export function makeRoom(entries: Map<string, unknown>, most: number): void {
  const [first] = entries.keys();
  if (first !== undefined && entries.size >= most) entries.delete(first);
}
