import type { SyntaxNode } from '@lezer/common';
import {
  quotedText,
  repeatedKey,
  nodeText,
  unclosedBracket,
  type Fault,
  type Judge,
} from './grammar-problem.ts';

/** What an error in JSON says. */
export const jsonFault: Judge = (node, doc) => {
  const { parent, from: at } = node;
  const text = nodeText(node, doc);
  const previous = node.prevSibling?.name;
  const next = node.nextSibling?.name;
  if (text === '' && doc.length === 0)
    return { at, sentence: 'The file is empty: JSON has a value.' };
  if (/^(?:\/\/|\/\*|#)/.test(text)) return { at, sentence: 'JSON has no comments.' };
  if (text.startsWith("'")) return { at, sentence: 'JSON takes texts in double quotes only.' };
  const unclosed = unclosedBracket(node, doc);
  if (unclosed !== undefined) return unclosed;
  if (previous === ',' && (next === ']' || next === '}')) {
    return { at, sentence: `No "," may stand before ${quotedText(next)}.` };
  }
  return text === '' ? missing(parent, at, previous, next) : wrong(parent, at, previous, next);
};

function missing(
  parent: SyntaxNode | null,
  at: number,
  previous: string | undefined,
  next: string | undefined,
): Fault | undefined {
  if (parent?.name === 'JsonText' && previous !== undefined) {
    return { at, sentence: 'JSON has one value: there is another one before.' };
  }
  if (parent?.name === 'Property') {
    return {
      at,
      sentence: previous === ':' ? 'A value is missing here.' : 'A ":" is missing here.',
    };
  }
  const isBetween = previous !== undefined && next !== undefined && !/^[[{,]$/.test(previous);
  return isBetween ? { at, sentence: 'A "," is missing here.' } : undefined;
}

function wrong(
  parent: SyntaxNode | null,
  at: number,
  previous: string | undefined,
  next: string | undefined,
): Fault | undefined {
  if (parent?.name === 'Array' && previous !== '[' && previous !== ',') {
    return { at, sentence: 'A "," is missing here.' };
  }
  const isName = parent?.name === 'Object' && next === 'Property';
  return isName ? { at, sentence: 'A name needs double quotes.' } : undefined;
}

/** What is wrong in JSON that its grammar allows. */
export const jsonMeaning: Judge = (node, doc) =>
  node.name === 'Object'
    ? repeatedKey(node, doc, (child) => child.getChild('PropertyName'))
    : undefined;
