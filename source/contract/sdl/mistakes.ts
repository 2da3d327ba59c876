/** Collects the mistakes of an SDL. */
import { LineCounter } from 'yaml';
import type { Position } from './definition.ts';

/** A mistake in an SDL: `expected` goes into answers of the host, `sentence` is shown to people. */
export interface Mistake extends Position {
  readonly field: string;
  readonly expected: string;
  readonly sentence: string;
  /** True for an error, false for a warning. */
  readonly isError: boolean;
}

interface UnplacedMistake extends Omit<Mistake, 'sentence' | keyof Position> {
  readonly offset: number;
  /** Called only for listed mistakes, because a text may have very many. */
  readonly sentence: () => string;
}

/** Largest number of listed mistakes. */
const maxListed = 100;

/** Largest length of a field in characters; keys may be as long as the text. */
const maxFieldLength = 500;

/** The mistakes of a text, each listed once however many aliases lead to it. */
export class MistakeList {
  readonly #mistakes = new Map<string, UnplacedMistake>();
  readonly #lines = new LineCounter();

  constructor(text: string) {
    this.#lines.addNewLine(0);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#lines.addNewLine(at + 1);
    }
  }

  /** Adds a mistake; at the same offset an error replaces a warning. */
  add(mistake: UnplacedMistake): void {
    const key = `${mistake.offset} ${mistake.expected}`;
    const existing = this.#mistakes.get(key);
    if (existing === undefined || (mistake.isError && !existing.isError)) {
      this.#mistakes.set(key, mistake);
    }
  }

  get hasRefused(): boolean {
    return [...this.#mistakes.values()].some(({ isError }) => isError);
  }

  /** Returns the line and column of an offset. */
  position(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  /**
   * Returns the first hundred errors, warnings or both in the order of the text. Errors have priority
   * over warnings among the hundred.
   */
  list(kind: 'refused' | 'advised' | 'all'): readonly Mistake[] {
    const sorted = [...this.#mistakes.values()].toSorted((a, b) => a.offset - b.offset);
    const refused = kind === 'advised' ? [] : sorted.filter(({ isError }) => isError);
    const advised = kind === 'refused' ? [] : sorted.filter(({ isError }) => !isError);
    return [...refused, ...advised]
      .slice(0, maxListed)
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, field, expected, sentence, isError }) => {
        const { line, column } = this.position(offset);
        return {
          line,
          column,
          field: field.slice(0, maxFieldLength),
          expected,
          sentence: sentence(),
          isError,
        };
      });
  }
}
