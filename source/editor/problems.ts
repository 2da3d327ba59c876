import { syntaxTree } from '@codemirror/language';
import type { EditorState, Text } from '@codemirror/state';
import type { Tree } from '@lezer/common';
import { parserOf, type BoundedParser } from './bounded-parser.ts';
import type { Fault } from './grammar-problem.ts';
import { ProblemWalk } from './problem-walk.ts';

/** What a file's language does not allow, and where: counted from 1, the column in code units. */
export interface TextProblem {
  readonly line: number;
  readonly column: number;
  readonly sentence: string;
  /** It stops nothing. */
  readonly isWarning?: boolean | undefined;
}

const mostProblems = 100;

/** What is looked at in one go. There are more errors than problems, of which a line has one. */
const atOnce = { errors: 400, steps: 5000 };

/** Where a tree without an end is given up. */
const mostSteps = 1_000_000;

/** Finds the problems of a text that is being edited, as far as its grammar tells. */
export class ProblemFinder {
  #parser: BoundedParser | undefined;
  #walk: ProblemWalk | undefined;
  #tree: Tree | undefined;
  #steps = atOnce.steps;
  #found: readonly TextProblem[] = [];

  /** Whether a state's problems are known. */
  isDone(state: EditorState): boolean {
    this.#follow(state);
    return this.#walk === undefined || this.#tree === syntaxTree(state);
  }

  /**
   * The problems, in order, at most 100 and one for a line. Those of an earlier state where a long
   * text was not yet read again; each call gets further.
   */
  problems(state: EditorState): readonly TextProblem[] {
    if (this.isDone(state) || this.#walk === undefined) return this.#found;
    const tree = syntaxTree(state);
    if (tree.length < state.doc.length) return this.#found;
    const faults = this.#walk.faults(tree, state.doc, { ...atOnce, steps: this.#steps });
    if (faults === undefined && this.#steps < mostSteps) {
      // However a tree is made, the next look at it gets further.
      this.#steps *= 2;
      return this.#found;
    }
    this.#steps = atOnce.steps;
    this.#tree = tree;
    this.#found = problemsOf(faults ?? [], state.doc);
    return this.#found;
  }

  #follow(state: EditorState): void {
    const parser = parserOf(state);
    if (parser === this.#parser) return;
    this.#parser = parser;
    this.#walk = parser?.grammar === undefined ? undefined : new ProblemWalk(parser.grammar);
    this.#tree = undefined;
    this.#found = [];
  }
}

function problemsOf(faults: readonly Fault[], doc: Text): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  for (const { at, sentence } of faults.toSorted((a, b) => a.at - b.at)) {
    const { number, from } = doc.lineAt(at);
    if (number === problems.at(-1)?.line) continue;
    problems.push({ line: number, column: at - from + 1, sentence });
    if (problems.length === mostProblems) break;
  }
  return problems;
}

/** The first problem behind a position, or else the first of all; undefined without any. */
export function nextProblem(
  problems: readonly TextProblem[],
  position: { readonly line: number; readonly column: number },
): TextProblem | undefined {
  const { line, column } = position;
  const isBehind = (problem: TextProblem): boolean =>
    problem.line > line || (problem.line === line && problem.column > column);
  return problems.find(isBehind) ?? problems[0];
}
