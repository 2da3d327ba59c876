/** The line end of a line; `''` only for a last line without one. */
export type LineEnd = '\n' | '\r\n' | '\r' | '';

/**
 * Splits a text into lines, each with its line end, so that joining them restores the text. A
 * trailing line end starts no further line; an empty text has no lines.
 */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    lines.push(text.slice(start, index + end.length));
    start = index + end.length;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** Returns the line end of a line from {@link splitLines}. */
export function lineEndOf(line: string): LineEnd {
  if (line.endsWith('\r\n')) return '\r\n';
  if (line.endsWith('\n')) return '\n';
  return line.endsWith('\r') ? '\r' : '';
}
