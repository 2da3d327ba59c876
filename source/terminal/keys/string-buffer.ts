import { type TerminalAnswer, parseStringAnswer } from '../link/answers.ts';

/** Second byte of OSC, the string in which a terminal reports its background. */
const osc = 0x5d;
/** OSC, DCS and APC after ESC; terminals answer with no other strings. */
const introducers = new Set([osc, 0x50, 0x5f]);

/** Start of the answer to a request of the background. */
const answerStart = '11;';
const longestAnswer = 64;
/** Other strings are discarded whole; the clipboard, which may be longer, is never requested. */
const longestString = 4096;
/** Milliseconds of silence that end the answer that is expected, as a link may stall within it. */
const answerDelay = 10_000;

const escape = 0x1b;
const backslash = 0x5c;
const bell = 0x07;

/** Result of a byte: `control` ends the string and is new input, as is the byte after `escape`. */
type StringStep = 'open' | 'ended' | 'control' | 'escape';

/** Reads strings that a terminal sends up to their terminator, BEL or `ESC \` (ECMA-48 8.3.89). */
export class StringBuffer {
  #body = '';
  #length = 0;
  #isOsc = false;
  #isLate = false;
  #isEscaped = false;
  #readAt = 0;
  /** Time in ms until which an answer is expected. */
  #until = 0;

  /** Returns whether this byte after ESC begins a string. */
  begins(byte: number): boolean {
    return introducers.has(byte);
  }

  /**
   * Expects an answer until a time in ms; 0 ends this. Meanwhile neither a delay within it nor one
   * after its ESC turns its rest into keys.
   */
  expectAnswer(until: number): void {
    this.#until = until;
  }

  /** Returns whether this byte may begin the expected answer, when its ESC came long before. */
  beginsLate(byte: number, now: number): boolean {
    return byte === osc && now < this.#until;
  }

  /** Starts a string. @param isLate true when its ESC has been reported as the Esc key. */
  start(introducer: number, now: number, isLate = false): void {
    this.#body = '';
    this.#length = 0;
    this.#isOsc = introducer === osc;
    this.#isLate = isLate;
    this.#isEscaped = false;
    this.#readAt = now;
  }

  push(byte: number, now: number): StringStep {
    this.#length++;
    this.#readAt = now;
    if (this.#isEscaped) return byte === backslash ? 'ended' : 'escape';
    if (byte === bell || this.#length > longestString) return 'ended';
    if (byte === escape) {
      this.#isEscaped = true;
      return 'open';
    }
    if (byte < 0x20) return 'control';
    if (this.#length <= longestAnswer) this.#body += String.fromCharCode(byte);
    // After an Esc key, a person may have typed the bracket.
    return this.#isLate && !this.#mayBeAnswer() ? 'control' : 'open';
  }

  /** Returns the answer in a string that has ended. */
  answer(): TerminalAnswer | undefined {
    return this.#isOsc ? parseStringAnswer(this.#body) : undefined;
  }

  /** Returns the time in ms at which the expected answer is given up; undefined for other strings. */
  deadline(): number | undefined {
    const isExpected = this.#mayBeAnswer() && this.#readAt < this.#until;
    return isExpected ? this.#readAt + answerDelay : undefined;
  }

  #mayBeAnswer(): boolean {
    return this.#isOsc && answerStart.startsWith(this.#body.slice(0, answerStart.length));
  }
}
