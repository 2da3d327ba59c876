import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { Tree } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { parserOf } from './bounded-parser.ts';
import type { KindSpan } from './picture.ts';

/** The syntax category of a token. */
export type TokenKind =
  | 'keyword'
  | 'string'
  | 'number'
  | 'literal'
  | 'comment'
  | 'name'
  | 'type'
  | 'punctuation'
  | 'meta'
  | 'invalid'
  | 'heading'
  | 'link'
  | 'emphasis'
  | 'strong';

const kindOfTag: readonly (readonly [TokenKind, Parameters<typeof tagHighlighter>[0][0]['tag']])[] =
  [
    ['comment', tags.comment],
    ['string', [tags.string, tags.special(tags.string), tags.regexp, tags.character]],
    ['number', tags.number],
    ['literal', [tags.bool, tags.null, tags.atom, tags.color, tags.unit, tags.escape]],
    ['keyword', [tags.keyword, tags.tagName, tags.standard(tags.variableName)]],
    ['type', [tags.typeName, tags.className, tags.namespace, tags.labelName]],
    ['name', [tags.propertyName, tags.attributeName, tags.definition(tags.variableName)]],
    ['punctuation', [tags.punctuation, tags.operator, tags.contentSeparator]],
    ['meta', [tags.meta, tags.annotation, tags.modifier]],
    ['heading', tags.heading],
    ['link', [tags.link, tags.url]],
    ['emphasis', tags.emphasis],
    ['strong', tags.strong],
    ['invalid', tags.invalid],
  ];

const highlighter = tagHighlighter(kindOfTag.map(([kind, tag]) => ({ tag, class: kind })));

/** A range of text with one token kind. */
export interface TokenSpan extends KindSpan {
  readonly kind: TokenKind;
}

/** Code units parsed as context before a range that the syntax tree does not cover yet. */
const contextLength = 500;

/**
 * Returns the token spans between two positions. Text beyond the syntax tree is highlighted by a
 * guess: a parse that starts a little before it.
 */
export function highlightSpans(state: EditorState, from: number, to: number): readonly TokenSpan[] {
  const parsedEnd = Math.max(from, Math.min(to, syntaxTree(state).length));
  const spans = parsedSpans(state, from, parsedEnd);
  const parser = parserOf(state);
  if (parsedEnd === to || parser?.canParse(state.doc) !== true) return spans;
  const contextStart = Math.max(0, parsedEnd - contextLength);
  const { from: lineStart } = state.doc.lineAt(contextStart);
  const start = contextStart - lineStart > contextLength ? contextStart : lineStart;
  const guess = parser.parseExcerpt(state.sliceDoc(start, to));
  return [...spans, ...treeSpans(guess, parsedEnd, to, start)];
}

/** Returns the token spans that the syntax tree covers; none for text that is not parsed yet. */
export function parsedSpans(state: EditorState, from: number, to: number): readonly TokenSpan[] {
  return treeSpans(syntaxTree(state), from, to, 0);
}

/** Returns the token spans between two document positions. The tree starts at position `start`. */
export function treeSpans(tree: Tree, from: number, to: number, start: number): TokenSpan[] {
  const spans: TokenSpan[] = [];
  const addSpan = (spanFrom: number, spanTo: number, classes: string): void => {
    // A token with several kinds, such as a strong link, takes the first.
    const [kind] = classes.split(' ');
    const span = { from: Math.max(from, start + spanFrom), to: Math.min(to, start + spanTo) };
    if (span.from < span.to) spans.push({ ...span, kind: kind as TokenKind });
  };
  if (from >= to) return spans;
  try {
    highlightTree(tree, highlighter, addSpan, from - start, to - start);
  } catch (error) {
    // Deeply nested text can exceed the call stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return spans;
}
