/** Puts together the bytes of one UTF-8 character, however they are cut. */
export class CharacterBuffer {
  readonly #bytes: number[] = [];

  /** Whether the next byte would begin a character. */
  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  /** Whether this byte would go on with the character that has begun. */
  continues(byte: number): boolean {
    return !this.isEmpty && (byte & 0xc0) === 0x80;
  }

  /** The code point that this byte completes; undefined while it is unfinished or malformed. */
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
