import type { Text } from '@codemirror/state';

const maxSampledLines = 1000;

/**
 * Returns the indentation unit of a document: a tab, or the number of spaces by which its first
 * indented line is indented further; undefined when no line is indented.
 */
export function indentationOf(doc: Text): string | undefined {
  const last = Math.min(doc.lines, maxSampledLines);
  let previous = 0;
  for (const text of doc.iterLines(1, last + 1)) {
    if (text.startsWith('\t')) return '\t';
    const spaces = /^ */.exec(text)?.[0].length ?? 0;
    const isBlank = spaces === text.length;
    const step = spaces - previous;
    if (!isBlank && step >= 2 && step <= 8) return ' '.repeat(step);
    if (!isBlank) previous = spaces;
  }
  return undefined;
}
