import type { PartialParse, Tree } from '@lezer/common';
import { isTooDeep } from './bounded-parse.ts';
import { spansOf, type TokenSpan } from './highlight.ts';
import { loadLanguage } from './language-loader.ts';
import type { LanguageName } from './languages.ts';

/** What kinds of words there are in each line of a text; positions are those within the line. */
export type ColouredLines = readonly (readonly TokenSpan[])[];

/** Code units up to which a text is read at once, in less time than a key may wait. */
const longest = 24 * 1024;

/** The same of a line: grammars can take the square of it. */
const longestLine = 4000;

/**
 * The kinds of words in a text that is only shown; loads its language. Undefined for a text that is
 * too long or nested too deep to be read at once.
 */
export async function colouredLines(
  text: string,
  name: LanguageName,
): Promise<ColouredLines | undefined> {
  const lines = text.split('\n');
  if (text.length > longest || lines.some(({ length }) => length > longestLine)) return undefined;
  const { language } = await loadLanguage(name);
  const tree = treeOf(language.parser.startParse(text));
  return tree === undefined ? undefined : byLine(lines, spansOf(tree, 0, text.length, 0));
}

function treeOf(parse: PartialParse): Tree | undefined {
  try {
    for (;;) {
      const tree = parse.advance();
      if (tree !== null) return tree;
      if (isTooDeep(parse)) return undefined;
    }
  } catch (error) {
    // Some texts are nested deeper than the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function byLine(lines: readonly string[], spans: readonly TokenSpan[]): ColouredLines {
  let start = 0;
  let next = 0;
  return lines.map(({ length }) => {
    const end = start + length;
    const here: TokenSpan[] = [];
    // A span of several lines is looked at again in the line after.
    let at = next;
    for (let span = spans[at]; span !== undefined && span.from < end; span = spans[++at]) {
      const from = Math.max(start, span.from);
      const to = Math.min(end, span.to);
      if (from < to) here.push({ kind: span.kind, from: from - start, to: to - start });
      if (span.to <= end) next = at + 1;
    }
    start = end + 1;
    return here;
  });
}
