const escape = 0x1b;
const endMarker = '\x1b[201~';
/** The terminal's answer to `CSI 5 n`. */
const statusAnswer = '\x1b[0n';

/** 4 MiB: more than anyone pastes on purpose, and small enough to hold and insert at once. */
const defaultLimit = 4 * 1024 * 1024;

/**
 * Collects the bytes of a bracketed paste up to `CSI 201 ~`, however they are split. Lines in its
 * texts end with `\n`, whatever the terminal sent (mostly CR).
 *
 * Answers to `CSI 5 n` are removed from the text: tmux forwards a paste in the pieces in which it
 * arrives, and may answer requests between two of them.
 */
export class PasteBuffer {
  readonly #limit: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #text = '';
  #bytes = 0;
  /** The start of a marker. Only its first byte is an ESC, so no marker starts within another. */
  #matched = '';

  /** @param limit bytes after which the text so far becomes a paste of its own. */
  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  /**
   * Consumes bytes up to the end of the paste. `used` is the number of bytes consumed, `texts` are
   * complete parts, none of them empty, and `answers` is the number of answers removed.
   */
  push(bytes: Uint8Array): { used: number; ended: boolean; texts: string[]; answers: number } {
    const texts: string[] = [];
    let answers = 0;
    let index = 0;
    while (index < bytes.length) {
      if (this.#matched === '') {
        const start = index;
        const next = bytes.indexOf(escape, index);
        index = next === -1 ? bytes.length : next;
        texts.push(...this.#add(bytes.subarray(start, index)));
        if (next === -1) break;
      }
      const matched = this.#matched + String.fromCharCode(bytes[index] ?? 0);
      if (endMarker.startsWith(matched) || statusAnswer.startsWith(matched)) {
        this.#matched = matched;
        index++;
      } else {
        texts.push(...this.#addMatched());
      }
      if (matched === statusAnswer) {
        this.#matched = '';
        answers++;
      }
      if (matched === endMarker) {
        this.#matched = '';
        return { used: index, ended: true, texts: [...texts, ...this.end()], answers };
      }
    }
    return { used: bytes.length, ended: false, texts, answers };
  }

  /** Returns the remaining texts when the paste ends, with or without its marker. */
  end(): string[] {
    const texts = this.#addMatched();
    const text = withNewlines(this.#text + this.#decoder.decode());
    this.#text = '';
    this.#bytes = 0;
    return text === '' ? texts : [...texts, text];
  }

  /** Adds the start of a presumed marker as text. */
  #addMatched(): string[] {
    const bytes = Buffer.from(this.#matched);
    this.#matched = '';
    return this.#add(bytes);
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

function withNewlines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
