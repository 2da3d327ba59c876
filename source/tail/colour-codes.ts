const introducer = '\x1b[';
// eslint-disable-next-line no-control-regex
const code = /\x1b\[[\d;:]*m/g;

/** The text as it is read on a screen that honours its colour codes (SGR): without them. */
export function withoutColours(text: string): string {
  return text.includes(introducer) ? text.replaceAll(code, '') : text;
}

/**
 * Where parts of a text without its colour codes stand in the text with them.
 * @param parts not empty, in order, none over another. They begin behind codes and end before them.
 */
export function inColours(
  text: string,
  parts: readonly (readonly [from: number, to: number])[],
): readonly (readonly [from: number, to: number])[] {
  if (parts.length === 0 || !text.includes(introducer)) return parts;
  /** Where each code stands in the text without any, and the length of all up to it. */
  const codes: { readonly at: number; readonly length: number }[] = [];
  let length = 0;
  for (const found of text.matchAll(code)) {
    const at = found.index - length;
    length += found[0].length;
    codes.push({ at, length });
  }
  let passed = 0;
  const moved = (offset: number, isBehind: boolean): number => {
    for (let next = codes[passed]; next !== undefined; next = codes[passed]) {
      if (isBehind ? next.at > offset : next.at >= offset) break;
      passed += 1;
    }
    return offset + (codes[passed - 1]?.length ?? 0);
  };
  return parts.map(([from, to]) => [moved(from, true), moved(to, false)] as const);
}
