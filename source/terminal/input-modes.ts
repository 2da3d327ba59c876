import type { TerminalAnswer } from './link/answers.ts';
import { askAttributes, KeyboardMode } from './keys/keyboard-mode.ts';

const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' };

/**
 * How long the terminal may take to answer before it counts as one that does not, in ms. Long
 * enough for a bad link, short enough for a person who quits.
 */
export const answerLimit = 500;

/**
 * What the terminal's keyboard is switched to while the program reads it: pastes bracketed, the
 * kitty protocol where it is offered. Keeps count of the questions this takes.
 */
export class InputModes {
  readonly #keyboard = new KeyboardMode();
  readonly #output: { write(data: string): unknown };
  #unanswered = 0;
  #askedAt = 0;

  constructor(output: { write(data: string): unknown }) {
    this.#output = output;
  }

  /** `now` in ms, here and below. */
  take(now: number): void {
    this.#unanswered = 0;
    this.#write(bracketedPaste.on + this.#keyboard.start(), now);
  }

  giveBack(now: number): void {
    this.#write(this.#keyboard.stop() + bracketedPaste.off, now);
  }

  /** Asks for an answer that comes after all others. */
  askLast(now: number): void {
    this.#write(askAttributes, now);
  }

  /** Takes note of an answer; true for the one that was asked for last. */
  hear(answer: TerminalAnswer, now: number): boolean {
    this.#write(this.#keyboard.hear(answer), now);
    if (answer.kind !== 'attributes') return false;
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    return this.#unanswered === 0;
  }

  /** Whether the terminal has had time to answer and has not. */
  isSilent(now: number): boolean {
    return this.#unanswered > 0 && now - this.#askedAt >= answerLimit;
  }

  #write(sequences: string, now: number): void {
    if (sequences !== '') this.#output.write(sequences);
    if (!sequences.endsWith(askAttributes)) return;
    this.#unanswered++;
    this.#askedAt = now;
  }
}
