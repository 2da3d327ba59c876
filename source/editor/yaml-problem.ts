import type { Text } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import {
  openString,
  quotedText,
  repeatedKey,
  nodeText,
  unclosedBracket,
  type Fault,
  type Judge,
} from './grammar-problem.ts';

/** What an error in YAML says. */
export const yamlFault: Judge = (node, doc) => {
  const at = node.from;
  const text = nodeText(node, doc) || doc.sliceString(at, at + 1);
  const unclosed = unclosedBracket(node, doc);
  if (unclosed !== undefined) return unclosed;
  if (node.prevSibling?.name === ':' && /^[@`%]/.test(text)) {
    return { at, sentence: `A text that begins with ${quotedText(text.charAt(0))} needs quotes.` };
  }
  const line = doc.lineAt(at);
  const { prevSibling: previous } = node;
  if (node.parent?.name === 'Document' && previous === null) {
    return { at: line.from, sentence: 'This line does not go on with what is above it.' };
  }
  const isBelow = previous !== null && previous.from < line.from;
  return node.to === at && isBelow
    ? { at: startOf(line), sentence: 'The indentation of this line fits none above it.' }
    : undefined;
};

/** What is wrong in YAML that its grammar allows. */
export const yamlMeaning: Judge = (node, doc) => {
  if (node.name === 'QuotedLiteral') return openString(node, doc);
  if (node.name === 'BlockMapping' || node.name === 'FlowMapping') {
    return repeatedKey(node, doc, (child) =>
      child.name === 'Pair' ? child.getChild('Key') : null,
    );
  }
  return node.name === 'Pair' || node.name === 'Item' ? tabBefore(node, doc) : undefined;
};

function tabBefore({ from, parent }: SyntaxNode, doc: Text): Fault | undefined {
  if (!parent?.name.startsWith('Block') || doc.sliceString(from - 1, from) !== '\t')
    return undefined;
  const line = doc.lineAt(from);
  const isIndentation = /^[ \t]+$/.test(line.text.slice(0, from - line.from));
  return isIndentation
    ? { at: line.from, sentence: 'YAML is indented by spaces, not by tabs.' }
    : undefined;
}

function startOf({ from, text }: { readonly from: number; readonly text: string }): number {
  return from + text.length - text.trimStart().length;
}
