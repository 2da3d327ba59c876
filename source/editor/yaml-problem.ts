import type { Text } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import {
  findUnclosedString,
  quotedText,
  findDuplicateKey,
  nodeText,
  findUnclosedBracket,
  type Fault,
  type FaultCheck,
} from './grammar-problem.ts';

/** Explains a syntax error in YAML. */
export const explainYamlError: FaultCheck = (node, doc) => {
  const at = node.from;
  const text = nodeText(node, doc) || doc.sliceString(at, at + 1);
  const unclosed = findUnclosedBracket(node, doc);
  if (unclosed !== undefined) return unclosed;
  if (node.prevSibling?.name === ':' && /^[@`%]/.test(text)) {
    return {
      position: at,
      sentence: `A value that begins with ${quotedText(text.charAt(0))} needs quotes.`,
    };
  }
  const line = doc.lineAt(at);
  const { prevSibling: previous } = node;
  if (node.parent?.name === 'Document' && previous === null) {
    return { position: line.from, sentence: 'This line does not continue the text above it.' };
  }
  const isOnLaterLine = previous !== null && previous.from < line.from;
  return node.to === at && isOnLaterLine
    ? { position: textStart(line), sentence: 'The indentation matches no line above.' }
    : undefined;
};

/** Checks YAML for errors that its grammar accepts: open strings, duplicate keys and tabs. */
export const checkYamlNode: FaultCheck = (node, doc) => {
  if (node.name === 'QuotedLiteral') return findUnclosedString(node, doc);
  if (node.name === 'BlockMapping' || node.name === 'FlowMapping') {
    return findDuplicateKey(node, doc, (child) =>
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
    ? { position: line.from, sentence: 'YAML must be indented with spaces, not tabs.' }
    : undefined;
}

function textStart({ from, text }: { readonly from: number; readonly text: string }): number {
  return from + text.length - text.trimStart().length;
}
