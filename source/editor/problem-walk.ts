import type { Text } from '@codemirror/state';
import { IterMode, type NodeType, type Tree } from '@lezer/common';
import {
  explainError,
  findUnclosedString,
  quotedText,
  explainCertainError,
  nodeText,
  type Fault,
  type FaultCheck,
} from './grammar-problem.ts';
import type { LanguageName } from './languages.ts';
import { explainYamlError, checkYamlNode } from './yaml-problem.ts';

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
