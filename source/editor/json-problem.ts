import type { SyntaxNode } from '@lezer/common';
import {
  quotedText,
  findDuplicateKey,
  nodeText,
  findUnclosedBracket,
  type Fault,
  type FaultCheck,
} from './grammar-problem.ts';

/** Explains a syntax error in JSON. */
export const explainJsonError: FaultCheck = (node, doc) => {
  const { parent, from: at } = node;
  const text = nodeText(node, doc);
  const previous = node.prevSibling?.name;
  const next = node.nextSibling?.name;
  if (text === '' && doc.length === 0)
    return { position: at, sentence: 'The file is empty. JSON needs a value.' };
  if (/^(?:\/\/|\/\*|#)/.test(text))
    return { position: at, sentence: 'JSON does not allow comments.' };
  if (text.startsWith("'")) return { position: at, sentence: 'JSON strings need double quotes.' };
  const unclosed = findUnclosedBracket(node, doc);
  if (unclosed !== undefined) return unclosed;
  if (previous === ',' && (next === ']' || next === '}')) {
    return { position: at, sentence: `Remove the "," before ${quotedText(next)}.` };
  }
  return text === ''
    ? missingToken(parent, at, previous, next)
    : unexpectedToken(parent, at, previous, next);
};

function missingToken(
  parent: SyntaxNode | null,
  at: number,
  previous: string | undefined,
  next: string | undefined,
): Fault | undefined {
  if (parent?.name === 'JsonText' && previous !== undefined) {
    return { position: at, sentence: 'JSON allows only one top-level value.' };
  }
  if (parent?.name === 'Property') {
    return {
      position: at,
      sentence: previous === ':' ? 'A value is missing here.' : 'A ":" is missing here.',
    };
  }
  const isBetween = previous !== undefined && next !== undefined && !/^[[{,]$/.test(previous);
  return isBetween ? { position: at, sentence: 'A "," is missing here.' } : undefined;
}

function unexpectedToken(
  parent: SyntaxNode | null,
  at: number,
  previous: string | undefined,
  next: string | undefined,
): Fault | undefined {
  if (parent?.name === 'Array' && previous !== '[' && previous !== ',') {
    return { position: at, sentence: 'A "," is missing here.' };
  }
  const isPropertyName = parent?.name === 'Object' && next === 'Property';
  return isPropertyName
    ? { position: at, sentence: 'Property names need double quotes.' }
    : undefined;
}

/** Checks JSON for errors that its grammar accepts: duplicate keys. */
export const checkJsonNode: FaultCheck = (node, doc) =>
  node.name === 'Object'
    ? findDuplicateKey(node, doc, (child) => child.getChild('PropertyName'))
    : undefined;
