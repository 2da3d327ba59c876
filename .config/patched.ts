/**
 * Returns a dependency's source with one pattern replaced.
 * @throws where the pattern is not found exactly once: the dependency has changed.
 */
export function patched(source: string, pattern: RegExp, by: string): string {
  const found = source.match(new RegExp(pattern, 'g'))?.length ?? 0;
  if (found !== 1) throw new Error(`${pattern} is found ${found} times, not once`);
  return source.replace(pattern, by);
}
