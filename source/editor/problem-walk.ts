import type { Text } from '@codemirror/state';
import { IterMode, type SyntaxNode, type Tree } from '@lezer/common';
import {
  grammarFault,
  openString,
  quoted,
  textOf,
  type Fault,
  type Judge,
} from './grammar-problem.ts';
import { jsonFault, jsonMeaning } from './json-problem.ts';
import type { LanguageName } from './languages.ts';
import { yamlFault, yamlMeaning } from './yaml-problem.ts';

const pythonQuote = /^[a-z]{0,2}("""|'''|["'])/i;

const pythonMeaning: Judge = (node, doc) =>
  node.name === 'String' ? openString(node, doc, pythonQuote) : undefined;

const faultIn: Partial<Record<LanguageName, Judge>> = { json: jsonFault, yaml: yamlFault };

const meaningIn: Partial<Record<LanguageName, Judge>> = {
  json: jsonMeaning,
  yaml: yamlMeaning,
  python: pythonMeaning,
};

const generalMeaning: Judge = (node, doc) => {
  if (node.name === 'String') return openString(node, doc);
  return node.name === 'MismatchedCloseTag'
    ? { at: node.from, sentence: `${quoted(textOf(node, doc))} closes nothing.` }
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
   * The first faults of a text, at most so many, in no order; undefined where that takes more
   * steps than it may. It then gets further the next time.
   */
  faults(
    tree: Tree,
    doc: Text,
    most: { readonly faults: number; readonly steps: number },
  ): readonly Fault[] | undefined {
    const found: Fault[] = [];
    const cursor = tree.cursor(IterMode.IncludeAnonymous | IterMode.IgnoreMounts);
    const open: { readonly tree: Tree | null; readonly before: number }[] = [];
    for (let steps = 0; steps < most.steps && found.length < most.faults; steps += 1) {
      const { tree: here } = cursor;
      const before = found.length;
      const isClean = here !== null && this.#clean.has(here);
      if (!isClean) {
        if (cursor.type.isError) found.push(this.#fault(cursor.node, doc));
        else if (meant.test(cursor.name)) found.push(...this.#meaning(cursor.node, doc));
        open.push({ tree: here, before });
        if (cursor.firstChild()) continue;
        this.#leave(open.pop(), found.length);
      }
      while (!cursor.nextSibling()) {
        if (!cursor.parent()) return found;
        this.#leave(open.pop(), found.length);
      }
    }
    return found.length < most.faults ? undefined : found;
  }

  #leave(
    left: { readonly tree: Tree | null; readonly before: number } | undefined,
    found: number,
  ): void {
    if (left !== undefined && left.tree !== null && left.before === found) {
      this.#clean.add(left.tree);
    }
  }

  #fault(node: SyntaxNode, doc: Text): Fault {
    return faultIn[this.#language]?.(node, doc) ?? grammarFault(node, doc);
  }

  #meaning(node: SyntaxNode, doc: Text): readonly Fault[] {
    const fault = (meaningIn[this.#language] ?? generalMeaning)(node, doc);
    return fault === undefined ? [] : [fault];
  }
}
