const newline = 0x0a;
const carriageReturn = 0x0d;

/** Longest line in bytes; a longer one is continued on the next, so that nothing of it is lost. */
export const longestOutputLine = 64 * 1024;

/**
 * Splits a byte stream into lines at LF or CRLF, however the chunks fall. Characters are decoded
 * from whole lines only, so none is torn between two chunks; bytes that are no UTF-8 become U+FFFD.
 */
export class LineSplitter {
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  /** The lines that `chunk` completes. The chunk is not kept when it ends with a newline. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      if (end === -1) break;
      this.#finish(chunk.subarray(start, end), lines);
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start), lines);
    return lines;
  }

  /** The last line, when the stream ended without a newline. */
  end(): string[] {
    const lines: string[] = [];
    if (this.#pendingBytes > 0) cut(this.#take(), lines);
    return lines;
  }

  #finish(rest: Buffer, lines: string[]) {
    const line = this.#pendingBytes === 0 ? rest : this.#take(rest);
    const hasReturn = line.length > 0 && line[line.length - 1] === carriageReturn;
    cut(hasReturn ? line.subarray(0, -1) : line, lines);
  }

  #hold(rest: Buffer, lines: string[]) {
    this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    // One byte more than a line may be the CR of a CRLF: only from two on is it sure to be too long.
    if (this.#pendingBytes < longestOutputLine + 2) return;
    let line = this.#take();
    while (line.length >= longestOutputLine + 2) {
      const length = cutLength(line);
      lines.push(line.toString('utf8', 0, length));
      line = line.subarray(length);
    }
    this.#pending.push(line);
    this.#pendingBytes = line.length;
  }

  #take(rest?: Buffer): Buffer {
    if (rest !== undefined) this.#pending.push(rest);
    const line = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return line;
  }
}

function cut(line: Buffer, lines: string[]) {
  let rest = line;
  while (rest.length > longestOutputLine) {
    const length = cutLength(rest);
    lines.push(rest.toString('utf8', 0, length));
    rest = rest.subarray(length);
  }
  lines.push(rest.toString('utf8'));
}

/** Bytes of the longest piece that ends between two characters. */
function cutLength(line: Buffer): number {
  let length = longestOutputLine;
  // UTF-8 continuation bytes are 10xxxxxx; no character has more than three of them.
  while (length > longestOutputLine - 4 && ((line[length] ?? 0) & 0xc0) === 0x80) length -= 1;
  return ((line[length] ?? 0) & 0xc0) === 0x80 ? longestOutputLine : length;
}
