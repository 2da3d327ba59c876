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

/** Explains a syntax error in YAML. */
export const yamlFault: Judge = (node, doc) => {
  const at = node.from;
  const text = nodeText(node, doc) || doc.sliceString(at, at + 1);
  const unclosed = unclosedBracket(node, doc);
  if (unclosed !== undefined) return unclosed;
  if (node.prevSibling?.name === ':' && /^[@`%]/.test(text)) {
    return { at, sentence: `A value that begins with ${quotedText(text.charAt(0))} needs quotes.` };
  }
  const line = doc.lineAt(at);
  const { prevSibling: previous } = node;
  if (node.parent?.name === 'Document' && previous === null) {
    return { at: line.from, sentence: 'This line does not continue the text above it.' };
  }
  const isOnLaterLine = previous !== null && previous.from < line.from;
  return node.to === at && isOnLaterLine
    ? { at: textStart(line), sentence: 'The indentation matches no line above.' }
    : undefined;
};

/** Checks YAML for errors that its grammar accepts: open strings, duplicate keys and tabs. */
export const yamlMeaning: Judge = (node, doc) => {
  if (node.name === 'QuotedLiteral') return openString(node, doc);
  if (node.name === 'BlockMapping' || node.name === 'FlowMapping') {
    return repeatedKey(node, doc, (child) =>
      child.name === 'Pair' ? child.getChild('Key') : null,
    );
  }
  return node.name === 'Pair' || node.name === 'Item' ? tabIndentation(node, doc) : undefined;
};

function tabIndentation({ from, parent }: SyntaxNode, doc: Text): Fault | undefined {
  if (!parent?.name.startsWith('Block') || doc.sliceString(from - 1, from) !== '\t')
    return undefined;
  const line = doc.lineAt(from);
  const isIndentation = /^[ \t]+$/.test(line.text.slice(0, from - line.from));
  return isIndentation
    ? { at: line.from, sentence: 'YAML must be indented with spaces, not tabs.' }
    : undefined;
}

function textStart({ from, text }: { readonly from: number; readonly text: string }): number {
  return from + text.length - text.trimStart().length;
}
