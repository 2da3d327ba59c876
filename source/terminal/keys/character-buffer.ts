/** Assembles a UTF-8 character from bytes that arrive in any number of pieces. */
export class CharacterBuffer {
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
