import { csiKey } from './key-sequences.ts';

const escape = 0x1b;
/** ^C. */
const endOfText = 0x03;
const endMarker = '\x1b[201~';
/** The terminal's answer to `CSI 5 n`. */
const statusAnswer = '\x1b[0n';

/** 4 MiB: more than anyone pastes on purpose, and small enough to hold and insert at once. */
const defaultLimit = 4 * 1024 * 1024;

/** Milliseconds of silence before and after a key that ends a paste; a paste arrives without them. */
const pauseBeforeKey = 50;
const pauseAfterKey = 200;
/**
 * Milliseconds of silence that end a paste without an end marker. Long, because later bytes are keys
 * again and a link may stall within a paste.
 */
const pasteDelay = 10_000;

/** The start of a key that some terminals send as a control sequence. */
// eslint-disable-next-line no-control-regex
const keySequence = /^\x1b\[[\d:;]{0,24}$/;

/**
 * Collects the bytes of a bracketed paste up to `CSI 201 ~`, however they are split. Lines in its
 * texts end with `\n`, whatever the terminal sent (mostly CR).
 *
 * Terminals may lose the end marker, so Esc and ^C end the paste too. They are keys, and not bytes of
 * the text, if no other byte comes within a pause before and after them.
 *
 * Answers to `CSI 5 n` are removed from the text: tmux forwards a paste in the pieces in which it
 * arrives, and may answer requests between two of them.
 */
export class PasteBuffer {
  readonly #limit: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #text = '';
  #bytes = 0;
  /** The start of a marker or a key. Only its first byte is an ESC, so none starts within another. */
  #matched = '';
  /** Keys that end the paste if a pause follows; otherwise they are text. */
  #keys = '';
  /** True while only such keys have come since the last pause. */
  #isAfterPause = false;
  /** End of the last pause. */
  #pauseEnd = 0;
  /** True if `#matched` started after a pause. */
  #mayMatchKey = false;
  /** Arrival of the last byte that belongs to no answer, and of the start of `#matched`. */
  #readAt = 0;
  #matchedAt = 0;

  /** @param limit bytes after which the text so far becomes a paste of its own. */
  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  /** Starts a paste. Times are in ms. */
  start(now: number): void {
    this.#readAt = now;
    this.#isAfterPause = false;
  }

  /**
   * Consumes bytes up to the end of the paste. `used` is the number of bytes consumed, `texts` are
   * complete parts, none of them empty, and `answers` is the number of answers removed.
   */
  push(
    bytes: Uint8Array,
    now: number,
  ): { used: number; ended: boolean; texts: string[]; answers: number } {
    const texts: string[] = [];
    let answers = 0;
    let index = 0;
    if (now - this.#lastByte() >= pauseBeforeKey) {
      this.#isAfterPause = true;
      this.#pauseEnd = now;
    }
    while (index < bytes.length) {
      if (this.#matched === '') {
        const byte = bytes[index];
        if (byte === escape) {
          this.#match('\x1b', now);
          this.#mayMatchKey = this.#isAfterPause;
          index++;
        } else if (byte === endOfText && this.#isAfterPause) {
          this.#addKey('\x03', now);
          index++;
        } else {
          const next = bytes.indexOf(escape, index);
          const end = next === -1 ? bytes.length : next;
          texts.push(...this.#addText(bytes.subarray(index, end), now));
          index = end;
        }
        continue;
      }
      const matched = this.#matched + String.fromCharCode(bytes[index] ?? 0);
      if (matched === endMarker) {
        this.#matched = '';
        return { used: index + 1, ended: true, texts: [...texts, ...this.end()], answers };
      }
      if (matched === statusAnswer) {
        this.#matched = '';
        answers++;
        index++;
      } else if (this.#isStart(matched)) {
        this.#match(matched, now);
        index++;
      } else if (this.#mayMatchKey && isEndKey(matched)) {
        this.#addKey(matched, now);
        index++;
      } else if (this.#mayMatchKey && this.#matched === '\x1b' && isEndKey(matched.slice(1))) {
        // A second Esc, or ^C after one.
        this.#addKey('\x1b', this.#matchedAt);
      } else {
        texts.push(...this.#addMatched());
      }
    }
    return { used: bytes.length, ended: false, texts, answers };
  }

  /** Returns the time in ms at which the paste ends unless more of it arrives. */
  deadline(): number {
    const endsInKey = this.#matched === '' ? this.#keys !== '' : this.#isEscape;
    return this.#lastByte() + (endsInKey ? pauseAfterKey : pasteDelay);
  }

  /** Ends an overdue paste. Returns its texts without the keys that ended it. */
  expire(): { texts: string[]; endedByEscape: boolean } {
    const endedByEscape = this.#isEscape;
    if (endedByEscape) this.#matched = '';
    if (this.#matched === '') this.#keys = '';
    return { texts: this.end(), endedByEscape };
  }

  /** True if the last byte is an ESC that may be the Esc key. */
  get #isEscape(): boolean {
    return this.#mayMatchKey && this.#matched === '\x1b';
  }

  #lastByte(): number {
    return this.#matched === '' ? this.#readAt : Math.max(this.#readAt, this.#matchedAt);
  }

  #isStart(matched: string): boolean {
    return (
      endMarker.startsWith(matched) ||
      statusAnswer.startsWith(matched) ||
      (this.#mayMatchKey && keySequence.test(matched))
    );
  }

  #match(matched: string, now: number): void {
    this.#matched = matched;
    this.#matchedAt = now;
  }

  #addKey(key: string, now: number): void {
    this.#matched = '';
    this.#keys += key;
    this.#readAt = now;
  }

  /** Returns the remaining texts when the paste ends, with or without its marker. */
  end(): string[] {
    const texts = [...this.#addKeys(), ...this.#addMatched()];
    const text = withNewlines(this.#text + this.#decoder.decode());
    this.#text = '';
    this.#bytes = 0;
    return text === '' ? texts : [...texts, text];
  }

  /** Adds bytes that are neither a marker nor a key, after the presumed keys before them. */
  #addText(bytes: Uint8Array, now: number): string[] {
    const texts = [...this.#addKeys(), ...this.#add(bytes)];
    this.#isAfterPause = false;
    this.#readAt = now;
    return texts;
  }

  #addKeys(): string[] {
    const bytes = Buffer.from(this.#keys);
    this.#keys = '';
    return this.#add(bytes);
  }

  /** Adds the start of a presumed marker or key as text. */
  #addMatched(): string[] {
    const bytes = Buffer.from(this.#matched);
    this.#matched = '';
    if (this.#matchedAt >= this.#pauseEnd) return this.#addText(bytes, this.#matchedAt);
    return [...this.#addKeys(), ...this.#add(bytes)];
  }

  #add(bytes: Uint8Array): string[] {
    const texts: string[] = [];
    let rest = bytes;
    while (this.#bytes + rest.length >= this.#limit) {
      const room = this.#limit - this.#bytes;
      const text = this.#text + this.#decoder.decode(rest.subarray(0, room), { stream: true });
      const cut = text.endsWith('\r') ? text.length - 1 : text.length; // Its LF may follow.
      if (cut > 0) texts.push(withNewlines(text.slice(0, cut)));
      this.#text = text.slice(cut);
      this.#bytes = 0;
      rest = rest.subarray(room);
    }
    this.#text += this.#decoder.decode(rest, { stream: true });
    this.#bytes += rest.length;
    return texts;
  }
}

/** Returns whether bytes are a whole Esc or ^C, in any of the forms that terminals send. */
function isEndKey(bytes: string): boolean {
  if (bytes === '\x1b' || bytes === '\x03') return true;
  const name = bytes.startsWith('\x1b[') ? csiKey(bytes.slice(2))?.name : undefined;
  return name === 'escape' || name === 'ctrl+c';
}

function withNewlines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
