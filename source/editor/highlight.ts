import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { Tree } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { parserOf } from './bounded-parser.ts';
import type { KindSpan } from './picture.ts';

/** What a word can be in a file's language. */
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

/** A span of one kind of word. */
export interface TokenSpan extends KindSpan {
  readonly kind: TokenKind;
}

/** Code units before what is asked for that are read first where there is only a guess. */
const before = 500;

/** What kinds of words there are between two positions; a guess where that was not parsed yet. */
export function highlighted(state: EditorState, from: number, to: number): readonly TokenSpan[] {
  const known = Math.max(from, Math.min(to, syntaxTree(state).length));
  const spans = surelyHighlighted(state, from, known);
  const parser = parserOf(state);
  if (known === to || parser?.reads(state.doc) !== true) return spans;
  const near = Math.max(0, known - before);
  const { from: lineStart } = state.doc.lineAt(near);
  const start = near - lineStart > before ? near : lineStart;
  const guess = parser.guess(state.sliceDoc(start, to));
  return [...spans, ...spansOf(guess, known, to, start)];
}

/** The same without guesses: nothing where it was not parsed yet. */
export function surelyHighlighted(
  state: EditorState,
  from: number,
  to: number,
): readonly TokenSpan[] {
  return spansOf(syntaxTree(state), from, to, 0);
}

/** The spans between two positions of a document in which a tree begins at a third. */
export function spansOf(tree: Tree, from: number, to: number, start: number): TokenSpan[] {
  const spans: TokenSpan[] = [];
  const put = (spanFrom: number, spanTo: number, classes: string): void => {
    // Where more than one kind holds, as in a strong link, the first is as good as any.
    const [kind] = classes.split(' ');
    const span = { from: Math.max(from, start + spanFrom), to: Math.min(to, start + spanTo) };
    if (span.from < span.to) spans.push({ ...span, kind: kind as TokenKind });
  };
  if (from >= to) return spans;
  try {
    highlightTree(tree, highlighter, put, from - start, to - start);
  } catch (error) {
    // Some texts are nested deeper than the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return spans;
}
