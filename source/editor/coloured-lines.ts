import type { PartialParse, Tree } from '@lezer/common';
import { isTooDeep } from './bounded-parse.ts';
import { treeSpans, type TokenSpan } from './highlight.ts';
import { loadLanguage } from './language-loader.ts';
import type { LanguageName } from './languages.ts';

/** The token spans of each line of a text, with positions relative to the line. */
export type HighlightedLines = readonly (readonly TokenSpan[])[];

/** The longest text in code units that is parsed at once without delaying a key. */
const maxLength = 24 * 1024;

/** The longest line in code units: some grammars take quadratic time per line. */
const maxLineLength = 4000;

/**
 * Highlights a read-only text and loads its language. Resolves with undefined for a text that is
 * too long or too deeply nested to parse at once.
 */
export async function highlightLines(
  text: string,
  name: LanguageName,
): Promise<HighlightedLines | undefined> {
  const lines = text.split('\n');
  if (text.length > maxLength || lines.some(({ length }) => length > maxLineLength))
    return undefined;
  const { language } = await loadLanguage(name);
  const tree = parseTree(language.parser.startParse(text));
  return tree === undefined ? undefined : splitByLine(lines, treeSpans(tree, 0, text.length, 0));
}

function parseTree(parse: PartialParse): Tree | undefined {
  try {
    for (;;) {
      const tree = parse.advance();
      if (tree !== null) return tree;
      if (isTooDeep(parse)) return undefined;
    }
  } catch (error) {
    // Deeply nested text can exceed the call stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function splitByLine(lines: readonly string[], spans: readonly TokenSpan[]): HighlightedLines {
  let start = 0;
  let next = 0;
  return lines.map(({ length }) => {
    const end = start + length;
    const lineSpans: TokenSpan[] = [];
    // A span of several lines is visited again for the next line.
    let index = next;
    for (let span = spans[index]; span !== undefined && span.from < end; span = spans[++index]) {
      const from = Math.max(start, span.from);
      const to = Math.min(end, span.to);
      if (from < to) lineSpans.push({ kind: span.kind, from: from - start, to: to - start });
      if (span.to <= end) next = index + 1;
    }
    start = end + 1;
    return lineSpans;
  });
}
