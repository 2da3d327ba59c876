import type { Text } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

/** A syntax problem at a position. */
export interface Fault {
  readonly position: number;
  readonly sentence: string;
}

/** Checks an error node, or a node that may be wrong; returns undefined when it finds nothing. */
export type FaultCheck = (node: SyntaxNode, doc: Text) => Fault | undefined;

const closers: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

const closing: ReadonlySet<string> = new Set(closers.values());

/** The longest quotation in a sentence, in code units. */
const maxQuotedLength = 20;

/** Code units that are searched for the counterpart of a bracket. */
const maxDistance = 5000;

/** Explains a syntax error in any language. */
export function explainError(node: SyntaxNode, doc: Text): Fault {
  return findUnclosedBracket(node, doc) ?? unclosedText(node, doc) ?? unexpectedText(node, doc);
}

/**
 * Explains a syntax error only when it is certain. The grammars of larger languages reject some
 * valid files, but rarely because of brackets and quotes.
 */
export const explainCertainError: FaultCheck = (node, doc) =>
  findUnclosedBracket(node, doc) ?? unclosedText(node, doc) ?? unmatchedBracket(node, doc);

/** Finds the unclosed bracket around an error. */
export function findUnclosedBracket(node: SyntaxNode, doc: Text): Fault | undefined {
  const { parent } = node;
  const first = parent?.firstChild;
  if (!parent || !first || first.to - first.from !== 1) return undefined;
  const opening = nodeText(first, doc);
  const closer = closers.get(opening);
  if (closer === undefined || parent.lastChild?.name === closer) return undefined;
  // Another error may have made the grammar lose the closing bracket.
  if (isClosed(first.from, doc)) return undefined;
  return { position: first.from, sentence: `${quotedText(opening)} is not closed.` };
}

/** Returns true when a bracket is closed within the searched distance. */
function isClosed(at: number, doc: Text): boolean {
  const expected: (string | undefined)[] = [];
  for (const unit of doc.sliceString(at, at + maxDistance)) {
    if (closers.has(unit)) expected.push(closers.get(unit));
    else if (closing.has(unit) && unit !== expected.pop()) return false;
    if (expected.length === 0) return true;
  }
  return false;
}

/** Finds a closing bracket without an opening one before it. */
function unmatchedBracket({ from, to }: SyntaxNode, doc: Text): Fault | undefined {
  const text = to - from === 1 ? doc.sliceString(from, to) : '';
  if (!closing.has(text) || from > maxDistance) return undefined;
  let depth = 0;
  for (const unit of doc.sliceString(0, from)) {
    if (closers.get(unit) === text) depth += 1;
    else if (unit === text) depth = Math.max(0, depth - 1);
  }
  return depth > 0 ? undefined : { position: from, sentence: `Unmatched ${quotedText(text)}.` };
}

/** Finds a string or comment that lasts to the end of the text. */
function unclosedText(node: SyntaxNode, doc: Text): Fault | undefined {
  const { parent } = node;
  const isText = /String|Comment|AttributeValue/.test(parent?.name ?? '');
  const at = isText && parent !== null && node.to === parent.to ? parent.from : node.from;
  if (at === node.to) return undefined;
  const opening = /^(?:\/\*|<!--|[a-z]*("""|'''|["'`]))/i.exec(
    doc.sliceString(at, at + maxQuotedLength),
  );
  if (opening === null) return undefined;
  const [whole, quote] = opening;
  const hasQuoteAtEnd =
    quote !== undefined && doc.sliceString(node.to - quote.length, node.to) === quote;
  if (hasQuoteAtEnd && node.to - at >= whole.length + quote.length) return undefined;
  return { position: at, sentence: `${quotedText(quote ?? whole)} is not closed.` };
}

const anyQuote = /^[a-z]{0,2}(["'`])/i;

/**
 * Finds a string without a closing quote that the grammar ends at its line. `start` matches the
 * start of a string and captures its quote.
 */
export function findUnclosedString(
  { from, to }: SyntaxNode,
  doc: Text,
  start = anyQuote,
): Fault | undefined {
  const [opening, quote = ''] = start.exec(doc.sliceString(from, Math.min(to, from + 5))) ?? [];
  if (opening === undefined) return undefined;
  const isClosed =
    to - from >= opening.length + quote.length && doc.sliceString(to - quote.length, to) === quote;
  return isClosed ? undefined : { position: from, sentence: `${quotedText(quote)} is not closed.` };
}

function unexpectedText(node: SyntaxNode, doc: Text): Fault {
  const at = node.from;
  const text = nodeText(node, doc);
  if (node.to > at && text === '') return { position: at, sentence: 'This line is incomplete.' };
  const next =
    text === '' ? (/^\S+/.exec(doc.sliceString(at, at + maxQuotedLength))?.[0] ?? '') : text;
  const isToken = text !== '' || node.prevSibling === null;
  if (isToken && closing.has(next))
    return { position: at, sentence: `Unmatched ${quotedText(next)}.` };
  if (text !== '') return { position: at, sentence: `Unexpected ${quotedText(text)}.` };
  const where = next === '' ? 'here' : `before ${quotedText(next)}`;
  return { position: at, sentence: `Something is missing ${where}.` };
}

/** Returns the start of a node's first line. */
export function nodeText({ from, to }: SyntaxNode, doc: Text): string {
  const [line = ''] = doc.sliceString(from, Math.min(to, from + maxQuotedLength)).split('\n');
  return line.trimEnd();
}

/** Quotes a text with quotation marks that it does not contain. */
export function quotedText(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** Quotes the first characters of a text. */
export function quotedStart(text: string): string {
  return quotedText(text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}...` : text);
}

/** @param line of the first key, counted from 1. */
export function duplicateKeySentence(key: string, line: number): string {
  return `Duplicate key ${quotedStart(key)}, first on line ${line}.`;
}

/** Finds a duplicate key of a mapping. `keyOf` returns the key of a child. */
export function findDuplicateKey(
  mapping: SyntaxNode,
  doc: Text,
  keyOf: (child: SyntaxNode) => SyntaxNode | null,
): Fault | undefined {
  const positions = new Map<string, number>();
  let child = mapping.firstChild;
  for (let count = 0; child !== null && count < maxChildren; count += 1) {
    const key = keyOf(child);
    if (key !== null && key.to - key.from <= maxKeyLength) {
      const text = doc.sliceString(key.from, key.to);
      const first = positions.get(text);
      if (first !== undefined) {
        const { number } = doc.lineAt(first);
        return { position: key.from, sentence: duplicateKeySentence(text, number) };
      }
      if (text !== '<<') positions.set(text, key.from);
    }
    child = child.nextSibling;
  }
  return undefined;
}

/** The number of children that are compared. Each change to one of them compares all again. */
const maxChildren = 400;

const maxKeyLength = 100;
