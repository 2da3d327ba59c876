import type { Text } from '@codemirror/state';
import { IterMode, type NodeType, type Tree } from '@lezer/common';
import {
  grammarFault,
  openString,
  quotedText,
  sureFault,
  nodeText,
  type Fault,
  type Judge,
} from './grammar-problem.ts';
import { jsonFault, jsonMeaning } from './json-problem.ts';
import type { LanguageName } from './languages.ts';
import { pythonFault, pythonMeaning } from './python-problem.ts';
import { yamlFault, yamlMeaning } from './yaml-problem.ts';

const faultIn: Partial<Record<LanguageName, Judge>> = {
  json: (node, doc) => jsonFault(node, doc) ?? grammarFault(node, doc),
  yaml: (node, doc) => yamlFault(node, doc) ?? grammarFault(node, doc),
  python: pythonFault,
  javascript: sureFault,
  typescript: sureFault,
  tsx: sureFault,
  html: sureFault,
};

const meaningIn: Partial<Record<LanguageName, Judge>> = {
  json: jsonMeaning,
  yaml: yamlMeaning,
  python: pythonMeaning,
};

const generalMeaning: Judge = (node, doc) => {
  if (node.name === 'String') return openString(node, doc);
  return node.name === 'MismatchedCloseTag'
    ? { at: node.from, sentence: `${quotedText(nodeText(node, doc))} closes nothing.` }
    : undefined;
};

/** Names of the nodes that `meaningIn` looks at. */
const meant =
  /^(?:Object|QuotedLiteral|BlockMapping|FlowMapping|Pair|Item|String|MismatchedCloseTag)$/;

/** Walks trees for faults, and remembers the parts of them that have none for the next tree. */
export class ProblemWalk {
  readonly #language: LanguageName;
  readonly #clean = new WeakSet<Tree>();

  constructor(language: LanguageName) {
    this.#language = language;
  }

  /**
   * The faults of a text, of its first errors, in no order; undefined where finding them takes
   * more steps than it may. It then gets further the next time.
   */
  faults(
    tree: Tree,
    doc: Text,
    most: { readonly errors: number; readonly steps: number },
  ): readonly Fault[] | undefined {
    const found: Fault[] = [];
    const cursor = tree.cursor(IterMode.IncludeAnonymous | IterMode.IgnoreMounts);
    // What holds nodes that are being looked into, and how many errors there were before them.
    const open: { readonly tree: Tree | null; readonly before: number }[] = [];
    let errors = 0;
    const leave = (): void => {
      const left = open.pop();
      if (left !== undefined && left.tree !== null && left.before === errors) {
        this.#clean.add(left.tree);
      }
    };
    for (let steps = 0; steps < most.steps && errors < most.errors; steps += 1) {
      const { tree: here } = cursor;
      if (here === null || !this.#clean.has(here)) {
        open.push({ tree: here, before: errors });
        const type: NodeType | undefined = cursor.type;
        // The trees of texts that are nested too deep can be broken.
        if (type === undefined) return found;
        const { isError } = type;
        const fault =
          isError || meant.test(cursor.name) ? this.#judge(isError)(cursor.node, doc) : undefined;
        if (fault !== undefined) found.push(fault);
        // What an error says can depend on what stands elsewhere.
        if (isError || fault !== undefined) errors += 1;
        if (cursor.firstChild()) continue;
        leave();
      }
      while (!cursor.nextSibling()) {
        if (!cursor.parent()) return found;
        leave();
      }
    }
    return errors < most.errors ? undefined : found;
  }

  #judge(isError: boolean): Judge {
    return isError
      ? (faultIn[this.#language] ?? grammarFault)
      : (meaningIn[this.#language] ?? generalMeaning);
  }
}
