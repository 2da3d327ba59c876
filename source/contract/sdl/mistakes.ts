import { LineCounter } from 'yaml';
import type { Position } from './definition.ts';

/** Something that is not as it has to be, in the words of the host and in those for a person. */
export interface Mistake extends Position {
  readonly field: string;
  readonly expected: string;
  readonly sentence: string;
  /** False for what a host can run all the same. */
  readonly isRefused: boolean;
}

interface Noted extends Omit<Mistake, 'sentence' | keyof Position> {
  readonly offset: number;
  /** Worded late: a text may have very many mistakes, of which few are told. */
  readonly sentence: () => string;
}

/** A longer list helps nobody. */
const mostTold = 100;

/** Keys may be as long as the text. */
const longestField = 500;

/** The mistakes of a text, each told once however often anchors lead to it. */
export class Mistakes {
  readonly #noted = new Map<string, Noted>();
  readonly #lines = new LineCounter();

  constructor(text: string) {
    this.#lines.addNewLine(0);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#lines.addNewLine(at + 1);
    }
  }

  note(mistake: Noted): void {
    const key = `${mistake.offset} ${mistake.expected}`;
    const before = this.#noted.get(key);
    if (before === undefined || (mistake.isRefused && !before.isRefused)) {
      this.#noted.set(key, mistake);
    }
  }

  get hasRefused(): boolean {
    return [...this.#noted.values()].some(({ isRefused }) => isRefused);
  }

  position(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  /**
   * The first hundred in the order of the text: those that a host refuses, those that it does not
   * mind, or all, of which the former come first to be among the hundred.
   */
  list(which: 'refused' | 'advised' | 'all'): readonly Mistake[] {
    const inOrder = [...this.#noted.values()].toSorted((a, b) => a.offset - b.offset);
    const refused = which === 'advised' ? [] : inOrder.filter(({ isRefused }) => isRefused);
    const advised = which === 'refused' ? [] : inOrder.filter(({ isRefused }) => !isRefused);
    return [...refused, ...advised]
      .slice(0, mostTold)
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, field, expected, sentence, isRefused }) => {
        const { line, column } = this.position(offset);
        return {
          line,
          column,
          field: field.slice(0, longestField),
          expected,
          sentence: sentence(),
          isRefused,
        };
      });
  }
}
