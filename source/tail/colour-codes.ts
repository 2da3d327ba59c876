const introducer = '\x1b[';
// eslint-disable-next-line no-control-regex
const code = /\x1b\[[\d;:]*m/g;

/** Removes the colour codes (SGR) from a text. */
export function stripColourCodes(text: string): string {
  return text.includes(introducer) ? text.replaceAll(code, '') : text;
}

/**
 * Maps ranges of a text without its colour codes to the text with them.
 *
 * @param parts not empty, in order and not overlapping. They start after codes and end before them.
 */
export function mapToColouredText(
  text: string,
  parts: readonly (readonly [from: number, to: number])[],
): readonly (readonly [from: number, to: number])[] {
  if (parts.length === 0 || !text.includes(introducer)) return parts;
  /** The offset of each code in the text without codes, and the length of all codes up to it. */
  const codes: { readonly at: number; readonly length: number }[] = [];
  let length = 0;
  for (const match of text.matchAll(code)) {
    const at = match.index - length;
    length += match[0].length;
    codes.push({ at, length });
  }
  let passedCodes = 0;
  const mapOffset = (offset: number, isStart: boolean): number => {
    for (let next = codes[passedCodes]; next !== undefined; next = codes[passedCodes]) {
      if (isStart ? next.at > offset : next.at >= offset) break;
      passedCodes += 1;
    }
    return offset + (codes[passedCodes - 1]?.length ?? 0);
  };
  return parts.map(([from, to]) => [mapOffset(from, true), mapOffset(to, false)] as const);
}
