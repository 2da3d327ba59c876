import type { TerminalAnswer } from '../link/answers.ts';

/**
 * Flags 1, "disambiguate escape codes", so that Esc needs no waiting, and 4, "report alternate
 * keys", without which `^C` on a Cyrillic keyboard would be no `^C` any more. Asking for the flags
 * once more makes the terminal say from where on they hold.
 */
const push = '\x1b[>5u\x1b[?u';
const pop = '\x1b[<u';
const askFlags = '\x1b[?u';
/** Every terminal answers this, so that one without the protocol need not be waited for. */
export const askAttributes = '\x1b[c';

/**
 * Turns the kitty keyboard protocol on where the terminal offers it, and off again. Gives what is
 * to be written, which may be nothing. A terminal keeps the flags of its alternate screen apart:
 * `stop` belongs before the screen is left on which they were turned on.
 */
export class KeyboardMode {
  /** Whether the terminal has the protocol, once it has told. */
  #offered: boolean | undefined;
  #running = false;
  #pushed = false;

  start(): string {
    this.#running = true;
    if (this.#offered === undefined) return askFlags + askAttributes;
    return this.#offered ? this.#push() : '';
  }

  hear(answer: TerminalAnswer): string {
    if (answer.kind === 'attributes') this.#offered ??= false;
    if (answer.kind !== 'keyboard') return '';
    this.#offered = true;
    return this.#running && !this.#pushed ? this.#push() : '';
  }

  stop(): string {
    this.#running = false;
    const wasPushed = this.#pushed;
    this.#pushed = false;
    return wasPushed ? pop : '';
  }

  #push(): string {
    this.#pushed = true;
    return push;
  }
}
