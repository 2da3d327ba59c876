/** Limit of RFC 2046, section 5.1.1. */
const maxBoundaryLength = 70;

/**
 * Counts the parts of a multipart body as its bytes arrive. The parser's consumer would count too
 * late: small parts queue up in the parser while earlier ones are being stored.
 */
export class PartCounter {
  readonly #delimiter: Buffer;
  /** Last received bytes, in which a delimiter may have begun. */
  #tail: Buffer;
  #delimiters = 0;

  /** Returns undefined for a content type without a boundary, which the parser refuses. */
  static forContentType(contentType: string | undefined): PartCounter | undefined {
    const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '');
    const boundary = match?.[1] ?? match?.[2];
    if (boundary === undefined || boundary.length > maxBoundaryLength) return undefined;
    return new PartCounter(boundary);
  }

  private constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    // The first delimiter may be at the very start (RFC 2046, section 5.1.1).
    this.#tail = Buffer.from('\r\n');
  }

  /** Number of complete parts; a part is complete once the next delimiter has arrived. */
  get complete(): number {
    return Math.max(0, this.#delimiters - 1);
  }

  push(chunk: Buffer): void {
    const overlap = this.#delimiter.length - 1;
    // A delimiter across the boundary of chunks is counted first, then those inside of the chunk.
    const seam = Buffer.concat([this.#tail, chunk.subarray(0, overlap)]);
    this.#countIn(seam);
    this.#countIn(chunk);
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-overlap)]).subarray(-overlap);
  }

  #countIn(bytes: Buffer): void {
    let at = bytes.indexOf(this.#delimiter);
    while (at >= 0) {
      this.#delimiters += 1;
      at = bytes.indexOf(this.#delimiter, at + this.#delimiter.length);
    }
  }
}
