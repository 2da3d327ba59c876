import type { Text } from '@codemirror/state';

const linesLookedAt = 1000;

/**
 * What a document indents by: a tab, or as many spaces as its first indented lines step by;
 * undefined where no line is indented.
 */
export function indentationOf(doc: Text): string | undefined {
  const last = Math.min(doc.lines, linesLookedAt);
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
