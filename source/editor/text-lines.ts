/** How a line ends: `''` only for a last line without one. */
export type LineEnd = '\n' | '\r\n' | '\r' | '';

/**
 * The lines of a text, each with its line end, so that joined they are the text again. A text that
 * ends with a line end has no empty line after it; an empty text has no lines.
 */
export function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    lines.push(text.slice(start, index + end.length));
    start = index + end.length;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** The end of one of {@link linesOf}. */
export function lineEnd(line: string): LineEnd {
  if (line.endsWith('\r\n')) return '\r\n';
  if (line.endsWith('\n')) return '\n';
  return line.endsWith('\r') ? '\r' : '';
}
