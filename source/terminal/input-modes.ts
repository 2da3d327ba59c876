import type { TerminalAnswer } from './link/answers.ts';

/**
 * Flags 1, "disambiguate escape codes", so that Esc is not delayed, and 4, "report alternate keys",
 * without which `^C` on a Cyrillic keyboard is not recognised. The request behind them makes the
 * terminal report from where on they hold.
 */
const pushFlags = '\x1b[>5u\x1b[?u';
const popFlags = '\x1b[<u';
const flagsRequest = '\x1b[?u';
/** Every terminal answers this, so that one without the protocol causes no timeout. */
const attributesRequest = '\x1b[c';

/** Background colour of the terminal (xterm ctlseqs); terminals that don't know it ignore this. */
const backgroundRequest = '\x1b]11;?\x1b\\';

/** Presses of buttons (1000), in the SGR encoding (1006); never motions (1002, 1003). */
const mouse = { on: '\x1b[?1000h\x1b[?1006h', off: '\x1b[?1006l\x1b[?1000l' };

const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' };

/**
 * Milliseconds to wait for the terminal's answer before it counts as one that never answers. Long
 * enough for a bad link, short enough for a person who quits.
 */
export const answerTimeout = 500;

/**
 * Turns the kitty keyboard protocol on where the terminal offers it, and off again. Each method
 * returns the output to write, which may be empty. A terminal has separate flags for its alternate
 * screen, so `stop` must come before that screen is left.
 */
class KeyboardMode {
  /** Undefined until the terminal has answered. */
  #isOffered: boolean | undefined;
  #isRunning = false;
  #isPushed = false;

  start(): string {
    this.#isRunning = true;
    if (this.#isOffered === undefined) return flagsRequest + attributesRequest;
    return this.#isOffered ? this.#push() : '';
  }

  handleAnswer(answer: TerminalAnswer): string {
    if (answer.kind === 'attributes') this.#isOffered ??= false;
    if (answer.kind !== 'keyboard') return '';
    this.#isOffered = true;
    return this.#isRunning && !this.#isPushed ? this.#push() : '';
  }

  stop(): string {
    this.#isRunning = false;
    const wasPushed = this.#isPushed;
    this.#isPushed = false;
    return wasPushed ? popFlags : '';
  }

  #push(): string {
    this.#isPushed = true;
    return pushFlags;
  }
}

/**
 * Switches the terminal's input for the program: bracketed paste, the kitty protocol where the
 * terminal offers it, and the mouse where a person wants it. Counts the requests whose answers are outstanding. `now` is in ms.
 */
export class InputModes {
  readonly #keyboard = new KeyboardMode();
  readonly #output: { write(data: string): unknown };
  #outstanding = 0;
  #requestedAt = 0;
  /** True when the background was requested before the modes were first switched on. */
  #isAskedEarly = false;
  #isEnabled = false;
  #hasMouse = false;

  constructor(output: { write(data: string): unknown }) {
    this.#output = output;
  }

  /** Switches the modes on. @param asksBackground whether to request the background too. */
  enable(now: number, asksBackground = false): void {
    if (!this.#isAskedEarly) this.#outstanding = 0;
    const request = asksBackground && !this.#isAskedEarly ? backgroundRequest : '';
    this.#isAskedEarly = false;
    const keyboard = this.#keyboard.start();
    const isAnswered = request === '' || keyboard.endsWith(attributesRequest);
    const last = isAnswered ? '' : attributesRequest;
    this.#isEnabled = true;
    const clicks = this.#hasMouse ? mouse.on : '';
    this.#write(bracketedPaste.on + clicks + request + keyboard + last, now);
  }

  /** Switches reports of the mouse on or off, now and whenever the modes are switched on. */
  setMouse(hasMouse: boolean): void {
    if (hasMouse === this.#hasMouse) return;
    this.#hasMouse = hasMouse;
    if (this.#isEnabled) this.#output.write(hasMouse ? mouse.on : mouse.off);
  }

  /** Requests the background, and behind it an answer that every terminal gives. */
  requestBackground(now: number): void {
    this.#write(backgroundRequest + attributesRequest, now);
  }

  /** Requests the background before the modes are switched on. */
  requestBackgroundEarly(now: number): void {
    this.#isAskedEarly = true;
    this.requestBackground(now);
  }

  /** Switches the modes off. */
  disable(now: number): void {
    this.#isEnabled = false;
    const clicks = this.#hasMouse ? mouse.off : '';
    this.#write(this.#keyboard.stop() + clicks + bracketedPaste.off, now);
  }

  /** Requests an answer that comes after all others. */
  requestAttributes(now: number): void {
    this.#write(attributesRequest, now);
  }

  /** Handles an answer; returns true for the answer to the last request. */
  handleAnswer(answer: TerminalAnswer, now: number): boolean {
    this.#write(this.#keyboard.handleAnswer(answer), now);
    if (answer.kind !== 'attributes') return false;
    this.#outstanding = Math.max(0, this.#outstanding - 1);
    return this.#outstanding === 0;
  }

  /** Returns whether an answer is overdue. */
  isUnresponsive(now: number): boolean {
    return this.#outstanding > 0 && now - this.#requestedAt >= answerTimeout;
  }

  #write(sequences: string, now: number): void {
    if (sequences !== '') this.#output.write(sequences);
    if (!sequences.endsWith(attributesRequest)) return;
    this.#outstanding++;
    this.#requestedAt = now;
  }
}
