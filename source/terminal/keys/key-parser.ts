import { type TerminalAnswer, parseAnswer, parseStringAnswer } from '../link/answers.ts';
import { characterKey, csiKey, type KeyEvent, ss3Key } from './key-sequences.ts';
import { type MouseEvent, parseMouseReport } from './mouse-report.ts';
import { PasteBuffer } from './paste-buffer.ts';

/** Milliseconds of silence after which an ESC is the Esc key. */
const escapeDelay = 50;
/**
 * Milliseconds that a sequence may take to arrive. Its tail is discarded for as long, because a
 * sequence split by a slow link must never be read as letters.
 */
const sequenceDelay = 1000;
/** The longest known key or answer is under 40 bytes. */
const longestSequence = 128;

const escape = 0x1b;

const escapeKey: KeyEvent = { name: 'escape' };

/** Input from a terminal: keys, pastes and clicks of the person, and answers of the terminal. */
export type TerminalInput = KeyEvent | MouseEvent | TerminalAnswer;

type State = 'ground' | 'escape' | 'csi' | 'ss3' | 'string' | 'mouse' | 'paste';

/**
 * Parses the bytes of a terminal into keys, pastes, clicks and answers. Pauses affect the result, the
 * division of bytes into chunks does not. Time is passed as an argument.
 *
 * All other input is discarded: focus, older mouse reports, other strings and malformed sequences. ESC followed by one
 * of `[ O ] P _` always begins a sequence, so Alt with these is never a key.
 */
export class KeyParser {
  #state: State = 'ground';
  /** Arrival of the ESC of the current sequence. */
  #since = 0;
  /** True after a second ESC before the sequence: Alt on some terminals, or an earlier Esc key. */
  #isDoubled = false;
  /** True for a sequence whose ESC has already been reported as the Esc key. */
  #isLate = false;
  #lateUntil = 0;
  /** True when the terminal sends its Esc key as `CSI 27 u`: a lone ESC is part of a sequence. */
  #isUnambiguous = false;
  #sequence = '';
  readonly #string = new StringBuffer();
  /** Bytes to skip of a mouse report. */
  #skipped = 0;
  readonly #character = new CharacterBuffer();
  /** True after an ESC before the character. */
  #hasAlt = false;
  readonly #paste: PasteBuffer;

  /** @param pasteLimit bytes after which a paste is reported in parts. */
  constructor(pasteLimit?: number) {
    this.#paste = new PasteBuffer(pasteLimit);
  }

  /** Expects an answer of the terminal in a string until a time in ms; 0 ends this. */
  expectString(until: number): void {
    this.#string.expectAnswer(until);
  }

  /** Returns the events that these bytes complete. `now` is in ms; only {@link expire} ends waits. */
  push(bytes: Uint8Array, now: number): TerminalInput[] {
    const events: TerminalInput[] = [];
    let index = 0;
    while (index < bytes.length) {
      if (this.#state === 'paste') {
        const { used, ended, texts, answers } = this.#paste.push(bytes.subarray(index), now);
        for (let count = 0; count < answers; count++) events.push({ kind: 'status' });
        events.push(...texts.map(pasteEvent));
        if (ended) this.#state = 'ground';
        index += used;
      } else {
        this.#step(bytes[index] ?? 0, now, events);
        index++;
      }
    }
    return events;
  }

  /** Returns the time in ms at which to call {@link expire}; undefined if no input is pending. */
  deadline(): number | undefined {
    if (this.#state === 'ground') return undefined;
    if (this.#state === 'paste') return this.#paste.deadline();
    const answerDeadline = this.#state === 'string' ? this.#string.deadline() : undefined;
    if (answerDeadline !== undefined) return answerDeadline;
    const awaitsEscape = this.#state === 'escape' || this.#isDoubled;
    if (awaitsEscape && !this.#isUnambiguous) return this.#since + escapeDelay;
    return this.#since + sequenceDelay;
  }

  /** Ends overdue waits: an ESC becomes the Esc key, an unfinished sequence is discarded. */
  expire(now: number): KeyEvent[] {
    const due = this.deadline();
    if (due === undefined || now < due) return [];
    if (this.#state === 'paste') {
      this.#state = 'ground';
      const { texts, endedByEscape } = this.#paste.expire();
      if (endedByEscape) this.#lateUntil = now + sequenceDelay;
      return texts.map(pasteEvent);
    }
    if (this.#state === 'escape') {
      this.#state = 'ground';
      this.#lateUntil = this.#isUnambiguous ? 0 : this.#since + sequenceDelay;
      return this.#isDoubled ? [escapeKey, escapeKey] : [escapeKey];
    }
    if (this.#isDoubled) {
      this.#isDoubled = false;
      return [escapeKey, ...this.expire(now)];
    }
    this.#state = 'ground';
    return [];
  }

  #step(byte: number, now: number, events: TerminalInput[]): void {
    switch (this.#state) {
      case 'ground':
        return this.#ground(byte, now, events);
      case 'escape':
        return this.#afterEscape(byte, now, events);
      case 'csi':
        return this.#csi(byte, now, events);
      case 'ss3':
        return this.#ss3(byte, now, events);
      case 'string':
        return this.#readString(byte, now, events);
      case 'mouse':
        if (--this.#skipped === 0) this.#state = 'ground';
        return;
      case 'paste':
        return; // `push` feeds the paste itself.
    }
  }

  #ground(byte: number, now: number, events: TerminalInput[]): void {
    const isLate = now < this.#lateUntil && (byte === 0x5b || byte === 0x4f);
    const isLateString = this.#lateUntil > 0 && this.#string.beginsLate(byte, now);
    this.#lateUntil = 0;
    if (isLateString) {
      this.#begin('string', now);
      this.#string.start(byte, now, true);
    } else if (isLate) {
      // The rest of a sequence whose ESC was reported as the Esc key.
      this.#begin(byte === 0x5b ? 'csi' : 'ss3', now);
      this.#isLate = true;
    } else if (byte === escape) {
      this.#begin('escape', now);
    } else {
      this.#text(byte, events);
    }
  }

  #begin(state: State, since: number): void {
    this.#state = state;
    this.#since = since;
    this.#sequence = '';
    this.#isDoubled = false;
    this.#isLate = false;
    this.#character.clear();
    this.#hasAlt = false;
  }

  /** Reads a byte of typed text. Only whole characters are keys; malformed ones are dropped. */
  #text(byte: number, events: TerminalInput[]): void {
    if (!this.#character.isEmpty && !this.#character.continues(byte)) this.#hasAlt = false;
    const codePoint = this.#character.push(byte);
    if (!this.#character.isEmpty) return;
    const key = codePoint === undefined ? undefined : characterKey(codePoint, this.#hasAlt);
    this.#hasAlt = false;
    if (key !== undefined) events.push(key);
  }

  #afterEscape(byte: number, now: number, events: TerminalInput[]): void {
    if (byte === escape) {
      if (this.#isDoubled || this.#isUnambiguous) events.push(escapeKey);
      this.#isDoubled = !this.#isUnambiguous;
      this.#since = now;
      return;
    }
    if (byte === 0x5b || byte === 0x4f) {
      this.#state = byte === 0x5b ? 'csi' : 'ss3';
      return;
    }
    if (this.#isDoubled) events.push(escapeKey);
    this.#isDoubled = false;
    if (this.#string.begins(byte)) {
      this.#state = 'string';
      this.#string.start(byte, now);
      return;
    }
    this.#state = 'ground';
    this.#hasAlt = true;
    this.#text(byte, events);
  }

  #csi(byte: number, now: number, events: TerminalInput[]): void {
    const isRxvtShift = byte === 0x24 && /^[235678]$/.test(this.#sequence);
    const isLinuxPrefix = byte === 0x5b && this.#sequence === '';
    if (byte < 0x20 || byte >= 0x7f || this.#sequence.length >= longestSequence) {
      this.#abort(byte, now, events);
    } else if (byte < 0x40 && !isRxvtShift) {
      this.#sequence += String.fromCharCode(byte);
    } else if (isLinuxPrefix) {
      this.#sequence = '[';
    } else {
      this.#endCsi(this.#sequence + String.fromCharCode(byte), now, events);
    }
  }

  #endCsi(sequence: string, now: number, events: TerminalInput[]): void {
    this.#state = 'ground';
    if (sequence === 'M') {
      // A mouse report of the oldest kind: three bytes of any value follow.
      this.#state = 'mouse';
      this.#skipped = 3;
    } else if (sequence === '200~') {
      this.#state = 'paste';
      this.#paste.start(now);
    }
    const report = parseAnswer(sequence) ?? parseMouseReport(sequence);
    if (report === undefined) {
      this.#emit(csiKey, sequence, events);
    } else {
      if (this.#isDoubled) events.push(escapeKey);
      this.#isDoubled = false;
      events.push(report);
      if (report.kind === 'keyboard') this.#isUnambiguous = disambiguates(report.flags);
    }
  }

  #ss3(byte: number, now: number, events: TerminalInput[]): void {
    const isParameter = (byte >= 0x30 && byte <= 0x39) || byte === 0x3b;
    const isFinal = byte === 0x20 || (byte >= 0x40 && byte < 0x7f);
    if (isParameter && this.#sequence.length < 8) {
      this.#sequence += String.fromCharCode(byte);
    } else if (isFinal) {
      this.#state = 'ground';
      this.#emit(ss3Key, this.#sequence + String.fromCharCode(byte), events);
    } else {
      this.#abort(byte, now, events);
    }
  }

  /** Reports the key of a whole sequence, with a second ESC as Alt or else as a separate Esc. */
  #emit(
    decode: (sequence: string, withAlt?: boolean) => KeyEvent | undefined,
    sequence: string,
    events: TerminalInput[],
  ): void {
    const withAlt = this.#isDoubled ? decode(sequence, true) : undefined;
    if (this.#isDoubled && withAlt === undefined) events.push(escapeKey);
    const key = withAlt ?? decode(sequence);
    if (key !== undefined && !this.#isLate) events.push(key);
    this.#isDoubled = false;
  }

  #readString(byte: number, now: number, events: TerminalInput[]): void {
    switch (this.#string.push(byte, now)) {
      case 'open':
        return;
      case 'ended': {
        this.#state = 'ground';
        const answer = this.#string.answer();
        if (answer !== undefined) events.push(answer);
        return;
      }
      case 'control':
        return this.#abort(byte, now, events);
      case 'escape':
        this.#begin('escape', now);
        return this.#afterEscape(byte, now, events);
    }
  }

  /** Discards a malformed sequence and reads this byte as the start of new input. */
  #abort(byte: number, now: number, events: TerminalInput[]): void {
    if (this.#isDoubled) events.push(escapeKey);
    this.#isDoubled = false;
    this.#state = 'ground';
    this.#ground(byte, now, events);
  }
}

/** Tests flag 1 of the kitty keyboard protocol, "disambiguate escape codes". */
function disambiguates(flags: number): boolean {
  return (flags & 1) !== 0;
}

function pasteEvent(text: string): KeyEvent {
  return { name: 'paste', text };
}

/** Assembles a UTF-8 character from bytes that arrive in any number of pieces. */
class CharacterBuffer {
  readonly #bytes: number[] = [];

  /** True when the next byte begins a character. */
  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  /** Returns whether this byte continues an unfinished character. */
  continues(byte: number): boolean {
    return !this.isEmpty && (byte & 0xc0) === 0x80;
  }

  /** Returns the code point that this byte completes; undefined if unfinished or malformed. */
  push(byte: number): number | undefined {
    if (!this.continues(byte)) this.clear();
    this.#bytes.push(byte);
    const [lead = 0] = this.#bytes;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (this.#bytes.length < length) return undefined;
    const codePoint = Buffer.from(this.#bytes).toString().codePointAt(0) ?? 0;
    this.clear();
    return codePoint === 0xfffd ? undefined : codePoint;
  }

  clear(): void {
    this.#bytes.length = 0;
  }
}

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

const backslash = 0x5c;
const bell = 0x07;

/** Result of a byte: `control` ends the string and is new input, as is the byte after `escape`. */
type StringStep = 'open' | 'ended' | 'control' | 'escape';

/** Reads strings that a terminal sends up to their terminator, BEL or `ESC \` (ECMA-48 8.3.89). */
class StringBuffer {
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
