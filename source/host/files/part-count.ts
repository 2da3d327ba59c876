const longestBoundary = 70;

/**
 * Counts the parts of a multipart body as its bytes arrive, ahead of the parser's consumer: small
 * parts queue up in the parser while the first of them are still being stored.
 */
export class PartCount {
  readonly #delimiter: Buffer;
  /** The end of what has come, as long as a delimiter may have begun in it. */
  #end: Buffer;
  #delimiters = 0;

  /** Undefined where the type names no boundary; the parser refuses that. */
  static of(contentType: string | undefined): PartCount | undefined {
    const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '');
    const boundary = match?.[1] ?? match?.[2];
    if (boundary === undefined || boundary.length > longestBoundary) return undefined;
    return new PartCount(boundary);
  }

  private constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    // The first delimiter may be at the very start (RFC 2046, section 5.1.1).
    this.#end = Buffer.from('\r\n');
  }

  /** Parts that are known to have come: one is complete once the next delimiter is there. */
  get complete(): number {
    return Math.max(0, this.#delimiters - 1);
  }

  take(chunk: Buffer): void {
    const overlap = this.#delimiter.length - 1;
    // A delimiter that lies across both, then those inside of the chunk.
    const seam = Buffer.concat([this.#end, chunk.subarray(0, overlap)]);
    this.#countIn(seam);
    this.#countIn(chunk);
    this.#end = Buffer.concat([this.#end, chunk.subarray(-overlap)]).subarray(-overlap);
  }

  #countIn(bytes: Buffer): void {
    let at = bytes.indexOf(this.#delimiter);
    while (at >= 0) {
      this.#delimiters += 1;
      at = bytes.indexOf(this.#delimiter, at + this.#delimiter.length);
    }
  }
}
