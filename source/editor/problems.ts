import { syntaxTree } from '@codemirror/language';
import type { EditorState, Text } from '@codemirror/state';
import type { Tree } from '@lezer/common';
import { parserOf, type BoundedParser } from './bounded-parser.ts';
import type { Fault } from './grammar-problem.ts';
import { ProblemWalker } from './problem-walk.ts';

/** A syntax problem in a text. Line and column count from 1; the column counts code units. */
export interface TextProblem {
  readonly line: number;
  readonly column: number;
  readonly sentence: string;
  /** True for a problem that does not make the file invalid. */
  readonly isWarning?: boolean | undefined;
}

const maxProblems = 100;

/** The limits of one walk. Errors may outnumber problems, since a line shows only one. */
const walkLimits = { errors: 400, steps: 5000 };

/** The steps after which a walk is abandoned. */
const maxSteps = 1_000_000;

/** Finds the syntax problems of an edited text. */
export class ProblemFinder {
  #parser: BoundedParser | undefined;
  #walk: ProblemWalker | undefined;
  #tree: Tree | undefined;
  #steps = walkLimits.steps;
  #problems: readonly TextProblem[] = [];

  /** Returns true when the problems of a state are complete. */
  isDone(state: EditorState): boolean {
    this.#updateParser(state);
    return this.#walk === undefined || this.#tree === syntaxTree(state);
  }

  /**
   * Returns the problems in order, at most 100 and one per line. Until a long text is walked
   * completely, they are those of an earlier state. Each call gets further.
   */
  problems(state: EditorState): readonly TextProblem[] {
    if (this.isDone(state) || this.#walk === undefined) return this.#problems;
    const tree = syntaxTree(state);
    if (tree.length < state.doc.length) return this.#problems;
    const faults = this.#walk.findFaults(tree, state.doc, { ...walkLimits, steps: this.#steps });
    if (faults === undefined && this.#steps < maxSteps) {
      // A larger budget makes the next walk of this tree get further.
      this.#steps *= 2;
      return this.#problems;
    }
    this.#steps = walkLimits.steps;
    this.#tree = tree;
    this.#problems = problemsOf(faults ?? [], state.doc);
    return this.#problems;
  }

  #updateParser(state: EditorState): void {
    const parser = parserOf(state);
    if (parser === this.#parser) return;
    this.#parser = parser;
    this.#walk = parser?.grammar === undefined ? undefined : new ProblemWalker(parser.grammar);
    this.#tree = undefined;
    this.#problems = [];
  }
}

function problemsOf(faults: readonly Fault[], doc: Text): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  for (const { position, sentence } of faults.toSorted((a, b) => a.position - b.position)) {
    const { number, from } = doc.lineAt(position);
    if (number === problems.at(-1)?.line) continue;
    problems.push({ line: number, column: position - from + 1, sentence });
    if (problems.length === maxProblems) break;
  }
  return problems;
}

/** Returns the first problem after a position, or else the first of all. */
export function nextProblem(
  problems: readonly TextProblem[],
  position: { readonly line: number; readonly column: number },
): TextProblem | undefined {
  const { line, column } = position;
  const isAfter = (problem: TextProblem): boolean =>
    problem.line > line || (problem.line === line && problem.column > column);
  return problems.find(isAfter) ?? problems[0];
}
