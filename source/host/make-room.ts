/** Deletes the oldest entry when the map has `maxEntries` or more, before another is added. */
export function evictOldest(entries: Map<string, unknown>, maxEntries: number): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined && entries.size >= maxEntries) entries.delete(oldest);
}
