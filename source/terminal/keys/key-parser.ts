import { type TerminalAnswer, answerOf } from '../link/answers.ts';
import { CharacterBuffer } from './character-buffer.ts';
import { characterKey, csiKey, type KeyEvent, ss3Key } from './key-sequences.ts';
import { PasteBuffer } from './paste-buffer.ts';

/** An ESC that nothing follows for this long is the Esc key. */
const escapeDelay = 50;
/**
 * How long a sequence may take to arrive. Its tail is swallowed for as long: a sequence torn apart
 * by a slow link must never be read as letters.
 */
const sequenceDelay = 1000;
/**
 * Silence after which a paste without an end is given up. Long, because what follows acts as keys
 * again, and a link may stall in the middle of a paste; terminals that send no end are rare.
 */
const pasteDelay = 10_000;

/** Longest key or answer we know is under 40 bytes. */
const longestSequence = 128;
/** Answers such as colours are short; a clipboard is never asked for. */
const longestString = 4096;

/** OSC, DCS and APC after ESC; terminals answer with no other strings. */
const stringIntroducers = new Set(Buffer.from(']P_'));

const escape = 0x1b;
const backslash = 0x5c;
const bell = 0x07;

const escapeKey: KeyEvent = { name: 'escape' };

/** What is read from a terminal: keys and pastes of the person, answers of the terminal itself. */
export type Input = KeyEvent | TerminalAnswer;

type State = 'ground' | 'escape' | 'csi' | 'ss3' | 'string' | 'string-escape' | 'mouse' | 'paste';

/**
 * Turns the bytes of a terminal into keys, pastes and answers. Pure: time comes in as an argument.
 * How the bytes are cut into pieces makes no difference, only pauses do.
 *
 * What is neither is taken out: focus, mouse, strings, and malformed input. ESC followed by one of
 * `[ O ] P _` always begins a sequence, so Alt with these is never a key.
 */
export class KeyParser {
  #state: State = 'ground';
  /** When the ESC of the current sequence came, or the last byte of a paste. */
  #since = 0;
  /** A second ESC stood before the sequence: Alt on some terminals, or an Esc pressed before it. */
  #doubled = false;
  /** The sequence follows an Esc given out too early: it is not that key any more. */
  #late = false;
  #lateUntil = 0;
  /** The terminal says that its Esc key is `CSI 27 u`: an ESC by itself is a torn sequence. */
  #unambiguous = false;
  #sequence = '';
  #skipped = 0;
  readonly #character = new CharacterBuffer();
  /** An ESC stood before the character. */
  #characterAlt = false;
  readonly #paste: PasteBuffer;

  /** `pasteLimit`: bytes after which a paste is given out in parts. */
  constructor(pasteLimit?: number) {
    this.#paste = new PasteBuffer(pasteLimit);
  }

  /** The events that these bytes complete. `now` in ms; pauses count only through {@link expire}. */
  push(bytes: Uint8Array, now: number): Input[] {
    const events: Input[] = [];
    let index = 0;
    while (index < bytes.length) {
      if (this.#state === 'paste') {
        const { used, ended, texts, answers } = this.#paste.push(bytes.subarray(index));
        for (let heard = 0; heard < answers; heard++) events.push({ kind: 'status' });
        events.push(...texts.map(pasteEvent));
        this.#since = now;
        if (ended) this.#state = 'ground';
        index += used;
      } else {
        this.#step(bytes[index] ?? 0, now, events);
        index++;
      }
    }
    return events;
  }

  /** When {@link expire} should be called, in ms; undefined while nothing waits. */
  deadline(): number | undefined {
    if (this.#state === 'ground') return undefined;
    if (this.#state === 'paste') return this.#since + pasteDelay;
    const awaitsEscape = this.#state === 'escape' || this.#doubled;
    if (awaitsEscape && !this.#unambiguous) return this.#since + escapeDelay;
    return this.#since + sequenceDelay;
  }

  /** Gives up what has waited too long: an ESC becomes the Esc key, a torn sequence nothing. */
  expire(now: number): KeyEvent[] {
    const due = this.deadline();
    if (due === undefined || now < due) return [];
    if (this.#state === 'paste') {
      this.#state = 'ground';
      return this.#paste.end().map(pasteEvent);
    }
    if (this.#state === 'escape') {
      this.#state = 'ground';
      this.#lateUntil = this.#unambiguous ? 0 : this.#since + sequenceDelay;
      return this.#doubled ? [escapeKey, escapeKey] : [escapeKey];
    }
    if (this.#doubled) {
      this.#doubled = false;
      return [escapeKey, ...this.expire(now)];
    }
    this.#state = 'ground';
    return [];
  }

  #step(byte: number, now: number, events: Input[]): void {
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
        return this.#string(byte, now, events);
      case 'string-escape':
        return this.#stringEscape(byte, now, events);
      case 'mouse':
        if (--this.#skipped === 0) this.#state = 'ground';
        return;
      case 'paste':
        return; // `push` feeds the paste itself.
    }
  }

  #ground(byte: number, now: number, events: Input[]): void {
    const late = now < this.#lateUntil && (byte === 0x5b || byte === 0x4f);
    this.#lateUntil = 0;
    if (late) {
      // The rest of a sequence whose ESC was taken for the Esc key.
      this.#begin(byte === 0x5b ? 'csi' : 'ss3', now);
      this.#late = true;
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
    this.#doubled = false;
    this.#late = false;
    this.#character.clear();
    this.#characterAlt = false;
  }

  /** A byte of typed text; only whole characters are keys, malformed ones are dropped. */
  #text(byte: number, events: Input[]): void {
    if (!this.#character.isEmpty && !this.#character.continues(byte)) this.#characterAlt = false;
    const codePoint = this.#character.push(byte);
    if (!this.#character.isEmpty) return;
    const key = codePoint === undefined ? undefined : characterKey(codePoint, this.#characterAlt);
    this.#characterAlt = false;
    if (key !== undefined) events.push(key);
  }

  #afterEscape(byte: number, now: number, events: Input[]): void {
    if (byte === escape) {
      if (this.#doubled || this.#unambiguous) events.push(escapeKey);
      this.#doubled = !this.#unambiguous;
      this.#since = now;
      return;
    }
    if (byte === 0x5b || byte === 0x4f) {
      this.#state = byte === 0x5b ? 'csi' : 'ss3';
      return;
    }
    if (this.#doubled) events.push(escapeKey);
    this.#doubled = false;
    if (stringIntroducers.has(byte)) {
      this.#state = 'string';
      this.#skipped = 0;
      return;
    }
    this.#state = 'ground';
    this.#characterAlt = true;
    this.#text(byte, events);
  }

  #csi(byte: number, now: number, events: Input[]): void {
    const isRxvtShift = byte === 0x24 && /^[235678]$/.test(this.#sequence);
    const isLinuxPrefix = byte === 0x5b && this.#sequence === '';
    if (byte < 0x20 || byte >= 0x7f || this.#sequence.length >= longestSequence) {
      this.#abort(byte, now, events);
    } else if (byte < 0x40 && !isRxvtShift) {
      this.#sequence += String.fromCharCode(byte);
    } else if (isLinuxPrefix) {
      this.#sequence = '[';
    } else {
      this.#endCsi(this.#sequence + String.fromCharCode(byte), events);
    }
  }

  #endCsi(sequence: string, events: Input[]): void {
    this.#state = 'ground';
    if (sequence === 'M') {
      // A mouse report of the oldest kind: three bytes of any value follow.
      this.#state = 'mouse';
      this.#skipped = 3;
    } else if (sequence === '200~') {
      this.#state = 'paste';
    }
    const answer = answerOf(sequence);
    if (answer === undefined) {
      this.#emit(csiKey, sequence, events);
    } else {
      if (this.#doubled) events.push(escapeKey);
      this.#doubled = false;
      events.push(answer);
      if (answer.kind === 'keyboard') this.#unambiguous = disambiguates(answer.flags);
    }
  }

  #ss3(byte: number, now: number, events: Input[]): void {
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

  /** Gives out the key of a whole sequence, with the second ESC as Alt or else as an Esc of its own. */
  #emit(
    decode: (sequence: string, withAlt?: boolean) => KeyEvent | undefined,
    sequence: string,
    events: Input[],
  ): void {
    const withAlt = this.#doubled ? decode(sequence, true) : undefined;
    if (this.#doubled && withAlt === undefined) events.push(escapeKey);
    const key = withAlt ?? decode(sequence);
    if (key !== undefined && !this.#late) events.push(key);
    this.#doubled = false;
  }

  /** The body of an OSC, DCS or APC: swallowed up to its terminator. */
  #string(byte: number, now: number, events: Input[]): void {
    this.#skipped++;
    if (byte === bell || this.#skipped > longestString) {
      this.#state = 'ground';
    } else if (byte === escape) {
      this.#state = 'string-escape';
    } else if (byte < 0x20) {
      this.#abort(byte, now, events);
    }
  }

  /** An ESC inside a string is half of its terminator, or the string broke off and it begins anew. */
  #stringEscape(byte: number, now: number, events: Input[]): void {
    if (byte === backslash) {
      this.#state = 'ground';
    } else {
      this.#begin('escape', now);
      this.#afterEscape(byte, now, events);
    }
  }

  /** The sequence is malformed: it is dropped, and this byte begins anew. */
  #abort(byte: number, now: number, events: Input[]): void {
    if (this.#doubled) events.push(escapeKey);
    this.#doubled = false;
    this.#state = 'ground';
    this.#ground(byte, now, events);
  }
}

/** Flag 1 of the kitty keyboard protocol: "disambiguate escape codes". */
function disambiguates(flags: number): boolean {
  return (flags & 1) !== 0;
}

function pasteEvent(text: string): KeyEvent {
  return { name: 'paste', text };
}
