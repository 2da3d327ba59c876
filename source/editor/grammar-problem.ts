import type { Text } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

/** What is wrong at a position. */
export interface Fault {
  readonly at: number;
  readonly sentence: string;
}

/** Looks at an error of a grammar, or at a node that is one; undefined where it knows no more. */
export type Judge = (node: SyntaxNode, doc: Text) => Fault | undefined;

const closers: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

const closing: ReadonlySet<string> = new Set(closers.values());

/** Code units of a text that a sentence quotes, or that is looked at. */
const fewUnits = 20;

/** Code units in which the other one of a bracket is looked for. */
const farthest = 5000;

/** What an error says in any language. */
export function grammarFault(node: SyntaxNode, doc: Text): Fault {
  return unclosedBracket(node, doc) ?? unclosedText(node, doc) ?? unexpected(node, doc);
}

/**
 * What an error surely says: the grammars of larger languages take some valid files for wrong, but
 * seldom for reasons of brackets and quotes.
 */
export const sureFault: Judge = (node, doc) =>
  unclosedBracket(node, doc) ?? unclosedText(node, doc) ?? strayBracket(node, doc);

/** The bracket around an error that nothing closes. */
export function unclosedBracket(node: SyntaxNode, doc: Text): Fault | undefined {
  const { parent } = node;
  const first = parent?.firstChild;
  if (!parent || !first || first.to - first.from !== 1) return undefined;
  const opening = nodeText(first, doc);
  const closer = closers.get(opening);
  if (closer === undefined || parent.lastChild?.name === closer) return undefined;
  // Where something else is wrong, the grammar may have lost the bracket that is there.
  if (isClosed(first.from, doc)) return undefined;
  return { at: first.from, sentence: `${quotedText(opening)} is not closed.` };
}

/** Whether a bracket of its kind closes the one at a position, as far as is looked. */
function isClosed(at: number, doc: Text): boolean {
  const wanted: (string | undefined)[] = [];
  for (const unit of doc.sliceString(at, at + farthest)) {
    if (closers.has(unit)) wanted.push(closers.get(unit));
    else if (closing.has(unit) && unit !== wanted.pop()) return false;
    if (wanted.length === 0) return true;
  }
  return false;
}

/** A bracket with none before it that it could close. */
function strayBracket({ from, to }: SyntaxNode, doc: Text): Fault | undefined {
  const text = to - from === 1 ? doc.sliceString(from, to) : '';
  if (!closing.has(text) || from > farthest) return undefined;
  let depth = 0;
  for (const unit of doc.sliceString(0, from)) {
    if (closers.get(unit) === text) depth += 1;
    else if (unit === text) depth = Math.max(0, depth - 1);
  }
  return depth > 0 ? undefined : { at: from, sentence: `${quotedText(text)} closes nothing.` };
}

/** A string or comment that does not end before the text does. */
function unclosedText(node: SyntaxNode, doc: Text): Fault | undefined {
  const { parent } = node;
  const isText = /String|Comment|AttributeValue/.test(parent?.name ?? '');
  const at = isText && parent !== null && node.to === parent.to ? parent.from : node.from;
  if (at === node.to) return undefined;
  const opening = /^(?:\/\*|<!--|[a-z]*("""|'''|["'`]))/i.exec(doc.sliceString(at, at + fewUnits));
  if (opening === null) return undefined;
  const [whole, quote] = opening;
  const isEnd = quote !== undefined && doc.sliceString(node.to - quote.length, node.to) === quote;
  if (isEnd && node.to - at >= whole.length + quote.length) return undefined;
  return { at, sentence: `${quotedText(quote ?? whole)} is not closed.` };
}

const anyQuote = /^[a-z]{0,2}(["'`])/i;

/**
 * A string that ends at its line without a quote, where the grammar takes that for its end.
 * `start` matches the start of one, with the quote as its group.
 */
export function openString(
  { from, to }: SyntaxNode,
  doc: Text,
  start = anyQuote,
): Fault | undefined {
  const [opening, quote = ''] = start.exec(doc.sliceString(from, Math.min(to, from + 5))) ?? [];
  if (opening === undefined) return undefined;
  const isClosed =
    to - from >= opening.length + quote.length && doc.sliceString(to - quote.length, to) === quote;
  return isClosed ? undefined : { at: from, sentence: `${quotedText(quote)} is not closed.` };
}

function unexpected(node: SyntaxNode, doc: Text): Fault {
  const at = node.from;
  const text = nodeText(node, doc);
  if (node.to > at && text === '') return { at, sentence: 'This line ends too early.' };
  const next = text === '' ? (/^\S+/.exec(doc.sliceString(at, at + fewUnits))?.[0] ?? '') : text;
  const isAlone = text !== '' || node.prevSibling === null;
  if (isAlone && closing.has(next)) return { at, sentence: `${quotedText(next)} closes nothing.` };
  if (text !== '') return { at, sentence: `${quotedText(text)} is not expected here.` };
  const where = next === '' ? 'here' : `before ${quotedText(next)}`;
  return { at, sentence: `Something is missing ${where}.` };
}

/** The first word or so of what a node is. */
export function nodeText({ from, to }: SyntaxNode, doc: Text): string {
  const [line = ''] = doc.sliceString(from, Math.min(to, from + fewUnits)).split('\n');
  return line.trimEnd();
}

/** In quotes that are not those of the text itself. */
export function quotedText(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

function shortened(text: string): string {
  return quotedText(text.length > fewUnits ? `${text.slice(0, fewUnits)}...` : text);
}

/** A key that a mapping has twice. `keyOf` gives the key of one of its children. */
export function repeatedKey(
  mapping: SyntaxNode,
  doc: Text,
  keyOf: (child: SyntaxNode) => SyntaxNode | null,
): Fault | undefined {
  const seen = new Map<string, number>();
  let child = mapping.firstChild;
  for (let count = 0; child !== null && count < mostChildren; count += 1) {
    const key = keyOf(child);
    if (key !== null && key.to - key.from <= longestKey) {
      const text = doc.sliceString(key.from, key.to);
      const first = seen.get(text);
      if (first !== undefined) {
        const { number } = doc.lineAt(first);
        return { at: key.from, sentence: `${shortened(text)} is already on line ${number}.` };
      }
      if (text !== '<<') seen.set(text, key.from);
    }
    child = child.nextSibling;
  }
  return undefined;
}

/** Children of a mapping that are compared: all are again with each change in one of them. */
const mostChildren = 400;

const longestKey = 100;
