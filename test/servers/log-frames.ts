import type { LogStreamHandlers } from '../../source/client/stream/log-stream.ts';
import { decodeFrameAt } from '../../source/client/decode/logs.ts';
import type { LogFrames, LogLine } from '../../source/contract/logs.ts';
import { encodeFrame } from '../../source/tail/arena/frame.ts';

/** Builds messages with their frame headers, as they are read from a socket. */
export function framesOf(messages: readonly (string | Uint8Array)[]): LogFrames {
  const parts = messages.map((message) => Buffer.from(message));
  const header = Buffer.from([0x81, 126, 0, 0]);
  const ends: number[] = [];
  let end = 0;
  for (const part of parts) ends.push((end += header.length + part.length));
  return {
    bytes: Buffer.concat(parts.flatMap((part) => [header, part])),
    count: parts.length,
    starts: Uint32Array.from(parts, (part, index) => (ends[index] ?? 0) - part.length),
    ends: Uint32Array.from(ends),
  };
}

export function framesOfLines(lines: readonly LogLine[]): LogFrames {
  return framesOf(lines.map(encodeFrame));
}

interface LineHandlers extends Omit<LogStreamHandlers, 'onFrames'> {
  readonly onLine: (line: LogLine) => void;
  /** Receives the description of any other message. */
  readonly onOther?: (description: string) => void;
}

/** Returns stream handlers that call `onLine` for each line. */
export function lineHandlers({ onLine, onOther, ...handlers }: LineHandlers): LogStreamHandlers {
  return {
    ...handlers,
    onFrames({ bytes, count, starts, ends }) {
      for (let index = 0; index < count; index += 1) {
        const frame = decodeFrameAt(bytes, starts[index] ?? 0, ends[index] ?? 0);
        if (frame.kind === 'line') onLine(frame.line);
        else onOther?.(frame.description);
      }
    },
  };
}

/** Decodes the messages of a log as the client does. */
export const lineCodec = {
  encode: encodeFrame,
  decode(bytes: Uint8Array, start: number, end: number): LogLine | undefined {
    const frame = decodeFrameAt(bytes, start, end);
    return frame.kind === 'line' ? frame.line : undefined;
  },
  plain: (logLine: string): LogLine => ({ logLine }),
};
