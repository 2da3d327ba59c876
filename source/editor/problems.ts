import { syntaxTree } from '@codemirror/language';
import type { EditorState, Text } from '@codemirror/state';
import type { Tree } from '@lezer/common';
import { parserOf, type BoundedParser } from './bounded-parser.ts';
import type { Fault } from './grammar-problem.ts';
import { canHighlight } from './highlight-limit.ts';
import { findJsonFaults } from './json-problem.ts';
import type { LanguageName } from './languages.ts';
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

/** Length in code units of the longest JSON that is checked while a key is handled. */
const quickLength = 64 * 1024;

/** Finds the syntax problems of an edited text. */
export class ProblemFinder {
  #parser: BoundedParser | undefined;
  #walk: Pick<ProblemWalker, 'findFaults'> | undefined;
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
   * @param isIdle whether no key waits, so that long JSON may be read as a whole.
   */
  problems(state: EditorState, isIdle = false): readonly TextProblem[] {
    if (this.isDone(state) || this.#walk === undefined) return this.#problems;
    const tree = syntaxTree(state);
    const isTooLong = this.#walk === jsonWalk && !isIdle && state.doc.length > quickLength;
    if (isTooLong || tree.length < state.doc.length) return this.#problems;
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
    this.#walk = walkOf(parser?.grammar);
    this.#tree = undefined;
    this.#problems = [];
  }
}

const jsonWalk: Pick<ProblemWalker, 'findFaults'> = {
  findFaults: (_tree, doc) => (canHighlight(doc, 'json') ? findJsonFaults(doc.toString()) : []),
};

function walkOf(grammar: LanguageName | undefined): Pick<ProblemWalker, 'findFaults'> | undefined {
  // The grammar of Python rejects valid files, also because of brackets and quotes.
  if (grammar === undefined || grammar === 'python') return undefined;
  return grammar === 'json' ? jsonWalk : new ProblemWalker(grammar);
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
