import { CutLine, type OutputLine } from './run.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Longest line in bytes; a longer one continues on the next line. */
export const maxOutputLineBytes = 64 * 1024;

/**
 * Splits a byte stream in chunks of any size into lines at LF or CRLF. Only complete lines are
 * decoded, so no character is cut between chunks; invalid UTF-8 becomes U+FFFD.
 */
export class LineSplitter {
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  /** Returns the lines that `chunk` completes. Keeps no reference to a chunk that ends with LF. */
  push(chunk: Buffer): OutputLine[] {
    const lines: OutputLine[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      if (end === -1) break;
      this.#complete(chunk.subarray(start, end), lines);
      start = end + 1;
    }
    if (start < chunk.length) this.#buffer(chunk.subarray(start), lines);
    return lines;
  }

  /** Returns the last line, when the stream ended without a newline. */
  end(): OutputLine[] {
    const lines: OutputLine[] = [];
    if (this.#pendingBytes > 0) pushLines(this.#flush(), lines);
    return lines;
  }

  #complete(rest: Buffer, lines: OutputLine[]) {
    const line = this.#pendingBytes === 0 ? rest : this.#flush(rest);
    const hasReturn = line.length > 0 && line[line.length - 1] === carriageReturn;
    pushLines(hasReturn ? line.subarray(0, -1) : line, lines);
  }

  #buffer(rest: Buffer, lines: OutputLine[]) {
    this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    // One more byte may be the CR of a CRLF, so a line is too long only with two more bytes.
    if (this.#pendingBytes < maxOutputLineBytes + 2) return;
    let line = this.#flush();
    while (line.length >= maxOutputLineBytes + 2) {
      const length = firstPartLength(line);
      lines.push(new CutLine(line.toString('utf8', 0, length)));
      line = line.subarray(length);
    }
    this.#pending.push(line);
    this.#pendingBytes = line.length;
  }

  #flush(rest?: Buffer): Buffer {
    if (rest !== undefined) this.#pending.push(rest);
    const line = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return line;
  }
}

function pushLines(line: Buffer, lines: OutputLine[]) {
  let rest = line;
  while (rest.length > maxOutputLineBytes) {
    const length = firstPartLength(rest);
    lines.push(new CutLine(rest.toString('utf8', 0, length)));
    rest = rest.subarray(length);
  }
  lines.push(rest.toString('utf8'));
}

/** Returns the bytes of the longest first part that ends between two characters. */
function firstPartLength(line: Buffer): number {
  let length = maxOutputLineBytes;
  // UTF-8 continuation bytes are 10xxxxxx; no character has more than three of them.
  while (length > maxOutputLineBytes - 4 && ((line[length] ?? 0) & 0xc0) === 0x80) length -= 1;
  return ((line[length] ?? 0) & 0xc0) === 0x80 ? maxOutputLineBytes : length;
}
