const escape = 0x1b;
const endMarker = Buffer.from('\x1b[201~');

/** 4 MiB: more than anyone pastes on purpose, and little enough to hold and to insert at once. */
const defaultLimit = 4 * 1024 * 1024;

/**
 * Collects the bytes of a bracketed paste up to `CSI 201 ~`, however they are cut. Texts it gives
 * have `\n` as line ends, whichever the terminal sent (most turn them into CR).
 */
export class PasteBuffer {
  readonly #limit: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #text = '';
  #bytes = 0;
  /** Bytes of the end marker seen so far. Only its first is an ESC, so a mismatch restarts at 0. */
  #matched = 0;

  /** `limit`: bytes after which the text so far is given out as a paste of its own. */
  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  /** Takes bytes up to the end of the paste; `texts` are complete parts, none of them empty. */
  push(bytes: Uint8Array): { used: number; ended: boolean; texts: string[] } {
    const texts: string[] = [];
    let index = 0;
    while (index < bytes.length) {
      if (this.#matched === 0) {
        const start = index;
        const found = bytes.indexOf(escape, index);
        index = found === -1 ? bytes.length : found;
        texts.push(...this.#add(bytes.subarray(start, index)));
        if (found === -1) break;
      }
      if (bytes[index] === endMarker[this.#matched]) {
        this.#matched++;
        index++;
      } else {
        texts.push(...this.#add(endMarker.subarray(0, this.#matched)));
        this.#matched = 0;
      }
      if (this.#matched === endMarker.length) {
        this.#matched = 0;
        return { used: index, ended: true, texts: [...texts, ...this.end()] };
      }
    }
    return { used: bytes.length, ended: false, texts };
  }

  /** What is left when the paste ends, with or without its marker. */
  end(): string[] {
    const texts = this.#add(endMarker.subarray(0, this.#matched));
    const text = withNewlines(this.#text + this.#decoder.decode());
    this.#text = '';
    this.#bytes = 0;
    this.#matched = 0;
    return text === '' ? texts : [...texts, text];
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
