import type { Text } from '@codemirror/state';
import { IterMode, type NodeType, type SyntaxNode, type Tree } from '@lezer/common';
import {
  explainCertainError,
  explainError,
  type Fault,
  type FaultCheck,
  findDuplicateKey,
  findUnclosedBracket,
  findUnclosedString,
  nodeText,
  quotedText,
} from './grammar-problem.ts';
import type { LanguageName } from './languages.ts';

const errorChecks: Partial<Record<LanguageName, FaultCheck>> = {
  yaml: (node, doc) => explainYamlError(node, doc) ?? explainError(node, doc),
  javascript: explainCertainError,
  typescript: explainCertainError,
  tsx: explainCertainError,
  html: explainCertainError,
};

const nodeChecks: Partial<Record<LanguageName, FaultCheck>> = {
  yaml: checkYamlNode,
};

const generalCheck: FaultCheck = (node, doc) => {
  if (node.name === 'String') return findUnclosedString(node, doc);
  return node.name === 'MismatchedCloseTag'
    ? { position: node.from, sentence: `Unmatched ${quotedText(nodeText(node, doc))}.` }
    : undefined;
};

/** Names of the nodes that the checks of valid nodes apply to. */
const checkedNodes =
  /^(?:QuotedLiteral|BlockMapping|FlowMapping|Pair|Item|String|MismatchedCloseTag)$/;

/** Walks syntax trees for faults and skips subtrees that were clean in an earlier tree. */
export class ProblemWalker {
  readonly #language: LanguageName;
  readonly #clean = new WeakSet<Tree>();

  constructor(language: LanguageName) {
    this.#language = language;
  }

  /**
   * Returns the faults of a text in no particular order, up to a number of errors; undefined when
   * that takes more steps than allowed. The next call then gets further.
   */
  findFaults(
    tree: Tree,
    doc: Text,
    limits: { readonly errors: number; readonly steps: number },
  ): readonly Fault[] | undefined {
    const faults: Fault[] = [];
    const cursor = tree.cursor(IterMode.IncludeAnonymous | IterMode.IgnoreMounts);
    // The ancestors of the current node, each with the number of errors found before it.
    const ancestors: { readonly tree: Tree | null; readonly before: number }[] = [];
    let errors = 0;
    const leaveNode = (): void => {
      const ancestor = ancestors.pop();
      if (ancestor !== undefined && ancestor.tree !== null && ancestor.before === errors) {
        this.#clean.add(ancestor.tree);
      }
    };
    for (let steps = 0; steps < limits.steps && errors < limits.errors; steps += 1) {
      const { tree: node } = cursor;
      if (node === null || !this.#clean.has(node)) {
        ancestors.push({ tree: node, before: errors });
        const type: NodeType | undefined = cursor.type;
        // Trees of deeply nested text can be broken.
        if (type === undefined) return faults;
        const { isError } = type;
        const fault =
          isError || checkedNodes.test(cursor.name)
            ? this.#checkFor(isError)(cursor.node, doc)
            : undefined;
        if (fault !== undefined) faults.push(fault);
        // The explanation of an error can depend on text outside the node, so its ancestors are not
        // clean.
        if (isError || fault !== undefined) errors += 1;
        if (cursor.firstChild()) continue;
        leaveNode();
      }
      while (!cursor.nextSibling()) {
        if (!cursor.parent()) return faults;
        leaveNode();
      }
    }
    return errors < limits.errors ? undefined : faults;
  }

  #checkFor(isError: boolean): FaultCheck {
    return isError
      ? (errorChecks[this.#language] ?? explainError)
      : (nodeChecks[this.#language] ?? generalCheck);
  }
}

/** Explains a syntax error in YAML. */
function explainYamlError(node: SyntaxNode, doc: Text): Fault | undefined {
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
}

/** Checks YAML for errors that its grammar accepts: open strings, duplicate keys and tabs. */
function checkYamlNode(node: SyntaxNode, doc: Text): Fault | undefined {
  if (node.name === 'QuotedLiteral') return findUnclosedString(node, doc);
  if (node.name === 'BlockMapping' || node.name === 'FlowMapping') {
    return findDuplicateKey(node, doc, (child) =>
      child.name === 'Pair' ? child.getChild('Key') : null,
    );
  }
  return node.name === 'Pair' || node.name === 'Item' ? tabIndentation(node, doc) : undefined;
}

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
