import type { LogFrames } from '../../contract/logs.ts';

export interface FrameLaneOptions {
  /** Bytes of the largest frame that may come; anything larger is passed on, to be refused. */
  readonly maxFrame: number;
  /** Whole text messages; good until this returns. */
  readonly onFrames: (frames: LogFrames) => void;
  /** Bytes of everything else: control frames, fragments, binary messages, very large ones. */
  readonly pass: (bytes: NonSharedBuffer) => void;
}

/** An unmasked text message in one frame. */
const plainText = 0x81;

/** A message that is not all there yet is kept until it is, unless it is larger. */
const mostKept = 64 * 1024;

const longestHeader = 10;

/** So much may be kept: {@link FrameLane.take} is faster with so much room. */
export const roomBefore = mostKept + longestHeader;

const opcode = { binary: 2, close: 8, pong: 10 } as const;

/**
 * Takes what a server sends over a WebSocket apart (RFC 6455, 5.2): its plain text messages go one
 * way, all at once, and whatever else there is the other way, in order and byte by byte as it came.
 */
export class FrameLane {
  readonly #options: FrameLaneOptions;
  #starts = new Uint32Array(512);
  #ends = new Uint32Array(512);
  #count = 0;
  /** The beginning of a frame that was cut off, and its length; 0 without one. */
  readonly #kept = Buffer.allocUnsafeSlow(roomBefore);
  #keptLength = 0;
  /** Bytes still to be passed of a frame whose beginning was. */
  #passing = 0;
  /** A message in several frames has begun: all is passed until it has ended. */
  #isFragmented = false;
  /** Nothing counts behind a closing frame. */
  #isClosed = false;
  /** No frames any more, but bytes that are to be refused. */
  #isLost = false;

  constructor(options: FrameLaneOptions) {
    this.#options = options;
  }

  /** @param room bytes directly before the chunk, in its memory, that may be written over. */
  take(chunk: NonSharedBuffer, room = 0): void {
    if (this.#isLost) {
      this.#options.pass(chunk);
      return;
    }
    const kept = this.#keptLength;
    if (kept > 0 && kept <= room) {
      const whole = Buffer.from(chunk.buffer, chunk.byteOffset - kept, kept + chunk.length);
      this.#kept.copy(whole, 0, 0, kept);
      this.#keptLength = 0;
      this.#split(whole, 0);
      return;
    }
    const from = this.#keptLength === 0 ? this.#passRest(chunk) : this.#complete(chunk);
    this.#split(chunk, from);
  }

  /** Goes through the frames that lie in the chunk as a whole. */
  #split(chunk: NonSharedBuffer, from: number): void {
    const { length } = chunk;
    let at = from;
    while (at < length && !this.#isClosed) {
      const payload = chunk[at + 1] ?? 0;
      const isUsual = payload === 126 && at + 4 <= length;
      const header = isUsual ? 4 : headerLength(chunk, at);
      const isWhole = header !== undefined && !isWrong(chunk, at);
      if (!isWhole && !isWrong(chunk, at)) break;
      const end = isUsual
        ? at + 4 + (((chunk[at + 2] ?? 0) << 8) | (chunk[at + 3] ?? 0))
        : at + frameLength(chunk, at);
      if (isWhole && this.#isPlain(chunk, at, end)) {
        if (end > length && end - at <= mostKept) break;
        if (end <= length) {
          this.#add(at + header, end);
          at = end;
          continue;
        }
      }
      this.#flush(chunk);
      at = this.#passFrame(chunk, at, end);
    }
    this.#flush(chunk);
    if (at < length && !this.#isClosed) this.#keptLength = chunk.copy(this.#kept, 0, at);
  }

  /** Completes the frame that was cut off; gives how much of the chunk that took. */
  #complete(chunk: NonSharedBuffer): number {
    const before = this.#keptLength;
    const kept = this.#kept;
    const head = kept.subarray(0, before + chunk.copy(kept, before, 0, longestHeader));
    if (!isWrong(head, 0) && headerLength(head, 0) === undefined) {
      this.#keptLength = head.length;
      return chunk.length;
    }
    const end = frameLength(head, 0);
    if (!this.#isPlain(head, 0, end) || end > mostKept) {
      this.#keptLength = 0;
      this.#passFrame(Buffer.from(head.subarray(0, before)), 0, end);
      return this.#passRest(chunk);
    }
    const missing = end - before;
    const copied = chunk.copy(kept, before, 0, missing);
    this.#keptLength = copied < missing ? before + copied : 0;
    if (copied < missing) return chunk.length;
    this.#add(headerLength(head, 0) ?? 0, end);
    this.#flush(kept);
    return missing;
  }

  #isPlain(chunk: NonSharedBuffer, at: number, end: number): boolean {
    return chunk[at] === plainText && !this.#isFragmented && end - at <= this.#options.maxFrame;
  }

  /** Passes a frame on, or as much of it as there is; gives where the next one begins. */
  #passFrame(chunk: NonSharedBuffer, at: number, end: number): number {
    const first = chunk[at] ?? 0;
    const kind = first & 0x0f;
    this.#isLost = isWrong(chunk, at);
    this.#isClosed = kind === opcode.close;
    if (kind < opcode.close) this.#isFragmented = first < 0x80;
    const last = this.#isLost ? chunk.length : Math.min(chunk.length, end);
    this.#passing = end - last;
    this.#options.pass(chunk.subarray(at, last));
    return last;
  }

  /** Passes what is missing of a frame whose beginning was passed. */
  #passRest(chunk: NonSharedBuffer): number {
    const end = this.#isLost ? chunk.length : Math.min(this.#passing, chunk.length);
    this.#passing -= end;
    if (end > 0) this.#options.pass(chunk.subarray(0, end));
    return end;
  }

  #add(start: number, end: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = longer(this.#starts);
      this.#ends = longer(this.#ends);
    }
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#count += 1;
  }

  #flush(bytes: NonSharedBuffer): void {
    const count = this.#count;
    if (count === 0) return;
    this.#count = 0;
    this.#options.onFrames({ bytes, count, starts: this.#starts, ends: this.#ends });
  }
}

/** True for what no server may send, and where no frame can be told from the next. */
function isWrong(bytes: NonSharedBuffer, at: number): boolean {
  const first = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  const kind = first & 0x0f;
  if ((first & 0x70) > 0 || second >= 0x80) return true;
  if (kind > opcode.binary && kind < opcode.close) return true;
  return kind >= opcode.close && (kind > opcode.pong || first < 0x80 || second > 125);
}

/** Undefined while not all of the header is there. */
function headerLength(bytes: NonSharedBuffer, at: number): number | undefined {
  const payload = bytes[at + 1];
  if (payload === undefined) return undefined;
  const length = payload < 126 ? 2 : payload === 126 ? 4 : longestHeader;
  return at + length > bytes.length ? undefined : length;
}

/** Bytes of header and payload, of a frame whose header is there. */
function frameLength(bytes: NonSharedBuffer, at: number): number {
  const header = headerLength(bytes, at) ?? 0;
  if (header === 4) return header + bytes.readUInt16BE(at + 2);
  if (header === longestHeader) return header + Number(bytes.readBigUInt64BE(at + 2));
  return header + ((bytes[at + 1] ?? 0) & 0x7f);
}

function longer(list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(list.length * 2);
  copy.set(list);
  return copy;
}
