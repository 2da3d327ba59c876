/** Parses WebSocket frames from a socket, faster than `ws` does. */
import type { LogFrames } from '../../contract/logs.ts';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

export interface WebSocketFrameReaderOptions {
  /** Bytes of the largest accepted frame; larger frames are passed on to be rejected. */
  readonly maxFrame: number;
  /** Receives complete messages, text or binary; the bytes are valid until it returns. */
  readonly onFrames: (frames: LogFrames) => void;
  /** Receives all other bytes: control frames, fragments and oversized messages. */
  readonly onOtherBytes: (bytes: NonSharedBuffer) => void;
}

/** First bytes of an unmasked message in one frame. Some services send JSON in binary messages. */
const plainText = 0x81;
const plainBinary = 0x82;

/** Bytes of the largest incomplete message that is buffered. */
const maxBuffered = 64 * 1024;

const longestHeader = 10;

/** Room before a chunk in which the start of any buffered frame fits, so that the chunk needs no copy. */
export const frameHeadroom = maxBuffered + longestHeader;

const opcode = { continuation: 0, binary: 2, close: 8, pong: 10 } as const;

/**
 * Splits the bytes of a WebSocket server (RFC 6455, 5.2). Messages of one frame go to `onFrames` in
 * batches; all other bytes go unchanged and in order to `onOtherBytes`.
 */
export class WebSocketFrameReader {
  readonly #options: WebSocketFrameReaderOptions;
  /** Offsets of the text messages of the batch; `#count` are used. */
  #starts = new Uint32Array(512);
  #ends = new Uint32Array(512);
  #count = 0;
  /** First bytes of an incomplete frame; `#partialLength` of them are used. */
  readonly #partial = Buffer.allocUnsafeSlow(frameHeadroom);
  #partialLength = 0;
  /** Bytes still to be passed of a frame whose start has been passed. */
  #passing = 0;
  /** True inside a message of several frames; all its frames are passed. */
  #isFragmented = false;
  /** Bytes so far of the message that is passed. */
  #messageLength = 0;
  /** True after a close frame; later bytes are ignored. */
  #isClosed = false;
  /**
   * True after a frame that `ws` rejects; all later bytes are passed. `ws` tells of the error only after
   * the chunk, and nothing behind such a frame is a message.
   */
  #isLost = false;

  constructor(options: WebSocketFrameReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads the next bytes of the connection.
   * @param room writable bytes directly before the chunk in its memory.
   */
  read(chunk: NonSharedBuffer, room = 0): void {
    if (this.#isLost) {
      this.#options.onOtherBytes(chunk);
      return;
    }
    const partial = this.#partialLength;
    if (partial > 0 && partial <= room) {
      const whole = Buffer.from(chunk.buffer, chunk.byteOffset - partial, partial + chunk.length);
      this.#partial.copy(whole, 0, 0, partial);
      this.#partialLength = 0;
      this.#split(whole, 0);
      return;
    }
    const from = this.#partialLength === 0 ? this.#passRest(chunk) : this.#complete(chunk);
    this.#split(chunk, from);
  }

  /** Reads the complete frames of the chunk and buffers the rest. */
  #split(chunk: NonSharedBuffer, from: number): void {
    const { length } = chunk;
    let at = from;
    while (at < length && !this.#isClosed) {
      const payload = chunk[at + 1] ?? 0;
      const isUsual = payload === 126 && at + 4 <= length;
      const header = isUsual ? 4 : headerLength(chunk, at);
      const hasHeader = header !== undefined && !isInvalid(chunk, at);
      if (!hasHeader && !isInvalid(chunk, at)) break;
      const end = isUsual
        ? at + 4 + (((chunk[at + 2] ?? 0) << 8) | (chunk[at + 3] ?? 0))
        : at + frameLength(chunk, at);
      if (hasHeader && this.#isPlain(chunk, at, end)) {
        if (end > length && end - at <= maxBuffered) break;
        if (end <= length) {
          this.#add(at + header, end);
          at = end;
          continue;
        }
      }
      this.#flush(chunk);
      this.#enterPassed(chunk, at, end);
      const last = this.#isLost ? length : Math.min(length, end);
      this.#passing = end - last;
      this.#options.onOtherBytes(chunk.subarray(at, last));
      at = last;
    }
    this.#flush(chunk);
    if (at < length && !this.#isClosed) this.#partialLength = chunk.copy(this.#partial, 0, at);
  }

  /** Completes the buffered frame; returns the number of bytes used from the chunk. */
  #complete(chunk: NonSharedBuffer): number {
    const before = this.#partialLength;
    const partial = this.#partial;
    const head = partial.subarray(0, before + chunk.copy(partial, before, 0, longestHeader));
    const isRejected = isInvalid(head, 0);
    if (!isRejected && headerLength(head, 0) === undefined) {
      this.#partialLength = head.length;
      return chunk.length;
    }
    const end = frameLength(head, 0);
    if (isRejected || !this.#isPlain(head, 0, end) || end > maxBuffered) {
      this.#partialLength = 0;
      this.#enterPassed(head, 0, end);
      this.#passing = end - before;
      this.#options.onOtherBytes(Buffer.from(head.subarray(0, before)));
      return this.#passRest(chunk);
    }
    const missing = end - before;
    const copied = chunk.copy(partial, before, 0, missing);
    this.#partialLength = copied < missing ? before + copied : 0;
    if (copied < missing) return chunk.length;
    this.#add(headerLength(head, 0) ?? 0, end);
    this.#flush(partial);
    return missing;
  }

  #isPlain(chunk: NonSharedBuffer, at: number, end: number): boolean {
    const first = chunk[at];
    return (
      (first === plainText || first === plainBinary) &&
      !this.#isFragmented &&
      end - at <= this.#options.maxFrame
    );
  }

  /** Notes a frame that is passed, and whether `ws` rejects it. */
  #enterPassed(bytes: NonSharedBuffer, at: number, end: number): void {
    const first = bytes[at] ?? 0;
    const kind = first & 0x0f;
    this.#isLost = isInvalid(bytes, at);
    this.#isClosed = kind === opcode.close;
    if (kind >= opcode.close) return;
    const isContinuation = kind === opcode.continuation;
    const isFinal = first >= 0x80;
    this.#messageLength += end - at - (headerLength(bytes, at) ?? 0);
    this.#isLost ||=
      isContinuation !== this.#isFragmented || this.#messageLength > this.#options.maxFrame;
    this.#isFragmented = !isFinal;
    if (isFinal) this.#messageLength = 0;
  }

  /** Passes the rest of a frame whose start has been passed. */
  #passRest(chunk: NonSharedBuffer): number {
    const end = this.#isLost ? chunk.length : Math.min(this.#passing, chunk.length);
    this.#passing -= end;
    if (end > 0) this.#options.onOtherBytes(chunk.subarray(0, end));
    return end;
  }

  #add(start: number, end: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#ends = doubled(this.#ends);
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

/** Returns true for a frame that a server must not send, after which frames cannot be separated. */
function isInvalid(bytes: NonSharedBuffer, at: number): boolean {
  const first = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  const kind = first & 0x0f;
  if ((first & 0x70) > 0 || second >= 0x80) return true;
  if (kind > opcode.binary && kind < opcode.close) return true;
  return kind >= opcode.close && (kind > opcode.pong || first < 0x80 || second > 125);
}

/** Returns the bytes of a frame's header; undefined while the header is incomplete. */
function headerLength(bytes: NonSharedBuffer, at: number): number | undefined {
  const payload = bytes[at + 1];
  if (payload === undefined) return undefined;
  const length = payload < 126 ? 2 : payload === 126 ? 4 : longestHeader;
  return at + length > bytes.length ? undefined : length;
}

/** Returns the bytes of header and payload; the header must be complete. */
function frameLength(bytes: NonSharedBuffer, at: number): number {
  const header = headerLength(bytes, at) ?? 0;
  if (header === 4) return header + bytes.readUInt16BE(at + 2);
  if (header === longestHeader) return header + Number(bytes.readBigUInt64BE(at + 2));
  return header + ((bytes[at + 1] ?? 0) & 0x7f);
}

function doubled(list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(list.length * 2);
  copy.set(list);
  return copy;
}

interface DirectFramesOptions {
  /** Sends all further bytes of the socket to `take`, with the writable bytes before them. */
  readonly setReader: (take: (bytes: NonSharedBuffer, room: number) => void) => void;
  /** Bytes of the largest accepted message; `ws` rejects larger ones. */
  readonly maxFrame: number;
  /** Receives messages of one frame; the bytes are valid until it returns. */
  readonly onFrames: (frames: LogFrames) => void;
  /** Called after each read with the number of its bytes. */
  readonly onRead: (bytes: number) => void;
}

/** A pong without payload, which `ws` answers with an event alone (RFC 6455, 5.5.3). */
const pong = Buffer.of(0x8a, 0);

/**
 * Reads plain frames directly from the socket of a WebSocket that has just opened, because `ws`
 * emits an event for each; `ws` gets all other bytes. Measured by `npm run bench -- tail-intake`: 830
 * thousand lines of 200 bytes a second, in place of 200 thousand with `ws` alone; for lines of 4 KiB
 * some 10 % more.
 *
 * This takes away the listener by which `ws` reads, so it first tries whether that listener parses
 * frames at once.
 * @returns false, with nothing changed, where `ws` reads in another way; `ws` then emits every message.
 */
export function readFramesDirectly(
  webSocket: WebSocket,
  socket: Duplex,
  { maxFrame, onFrames, onRead, setReader }: DirectFramesOptions,
): boolean {
  const [listener, ...others] = socket.listeners('data');
  if (listener === undefined || others.length > 0 || socket.listenerCount('readable') > 0) {
    return false;
  }
  const pass = (bytes: NonSharedBuffer): void => {
    listener.call(socket, bytes);
  };
  if (!parsesAtOnce(webSocket, pass)) return false;

  let hasFailed = false;
  webSocket.once('error', () => {
    hasFailed = true;
  });
  socket.removeAllListeners('data');
  const reader = new WebSocketFrameReader({
    maxFrame,
    onFrames(frames) {
      if (!hasFailed) onFrames(frames);
    },
    onOtherBytes(bytes) {
      // `ws` may keep a reference to the bytes.
      if (!hasFailed) pass(Buffer.from(bytes));
    },
  });
  const take = (chunk: NonSharedBuffer, room = 0): void => {
    const { length } = chunk;
    reader.read(chunk, room);
    onRead(length);
  };
  socket.on('data', (chunk: NonSharedBuffer) => take(chunk));
  setReader(take);
  // This listener must precede the one of `ws`, which would parse the buffered bytes of a paused
  // socket as the start of a frame.
  socket.prependListener('close', () => {
    const rest = socket.read() as NonSharedBuffer | null;
    if (rest !== null) reader.read(rest);
  });
  return true;
}

/** Returns true if the WebSocket emits a pong while it is passed to the listener of `ws`. */
function parsesAtOnce(webSocket: WebSocket, pass: (bytes: NonSharedBuffer) => void): boolean {
  let isParsed = false;
  const onPong = (): void => {
    isParsed = true;
  };
  webSocket.on('pong', onPong);
  pass(pong);
  webSocket.off('pong', onPong);
  return isParsed;
}

const [openBracket, closeBracket, openBrace, closeBrace, comma, quote, backslash] =
  Buffer.from('[]{},"\\');

/** Returns whether a byte is whitespace in JSON. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * Returns the messages with each array among them as its items, in the same memory: some services
 * send several log messages in one frame. The frames themselves when there is none.
 */
export function splitArrays(frames: LogFrames): LogFrames {
  const { bytes, count, starts, ends } = frames;
  let ranges: number[] | undefined;
  for (let index = 0; index < count; index += 1) {
    const start = starts[index] ?? 0;
    const end = ends[index] ?? 0;
    const items = bytes[start] === openBrace ? undefined : itemsOf(bytes, start, end);
    if (items !== undefined) ranges ??= rangesBefore(frames, index);
    if (ranges !== undefined) for (const range of items ?? [start, end]) ranges.push(range);
  }
  if (ranges === undefined) return frames;
  return {
    bytes,
    count: ranges.length / 2,
    starts: Uint32Array.from(ranges.filter((_, at) => at % 2 === 0)),
    ends: Uint32Array.from(ranges.filter((_, at) => at % 2 === 1)),
  };
}

function rangesBefore({ starts, ends }: LogFrames, count: number): number[] {
  return Array.from({ length: count * 2 }, (_, at) => (at % 2 === 0 ? starts : ends)[at >> 1] ?? 0);
}

/**
 * Returns the starts and ends of an array's items in turn; undefined when it is not one array. The
 * items are not checked: whoever decodes them does.
 */
function itemsOf(bytes: Uint8Array, start: number, end: number): readonly number[] | undefined {
  let first = start;
  while (first < end && isSpace(bytes[first])) first += 1;
  if (first === end || bytes[first] !== openBracket) return undefined;
  const items: number[] = [];
  let depth = 0;
  let isText = false;
  let from = first + 1;
  for (let at = first; at < end; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
      continue;
    }
    if (byte === quote) isText = true;
    else if (byte === openBracket || byte === openBrace) depth += 1;
    else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    const isLast = depth === 0;
    if (!isLast && !(depth === 1 && byte === comma)) continue;
    let to = at;
    while (from < to && isSpace(bytes[from])) from += 1;
    while (to > from && isSpace(bytes[to - 1])) to -= 1;
    if (to > from) items.push(from, to);
    else if (!isLast || items.length > 0) return undefined;
    if (isLast) return isBlank(bytes, at + 1, end) ? items : undefined;
    from = at + 1;
  }
  return undefined;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes.subarray(start, end).every(isSpace);
}
