import { logTexts, numberDigits, numberMark, numbersBegin, textCount } from './log-texts.ts';

/** The properties that all messages of one log share. */
export interface LogFramesOptions {
  readonly deployment: string;
  readonly services: readonly string[];
  /** Bytes of a line's text. */
  readonly length: number;
}

/** Offsets in a frame of the digits that differ from block to block. */
interface Places {
  readonly start: number;
  /** The two numbers: the id and the one in the text. */
  readonly id: number;
  readonly mark: number;
  readonly second: number;
}

/** Digits of a number that stay within a block of a thousand lines. */
const lowDigits = 3;
const highDigits = numberDigits - lowDigits;
/** Characters of `2026-01-01T00:00:00`. */
const secondLength = 19;
const began = Date.parse('2026-01-01T00:00:00Z');

/**
 * The log's messages as frames of a WebSocket server (RFC 6455, 5.2), a block of a thousand at a
 * time. They are encoded once: from block to block only digits change, so that who sends them is no
 * bottleneck. A line is a millisecond later than the one before it.
 */
export class LogFrames {
  readonly #options: LogFramesOptions;
  readonly #texts: readonly string[];
  readonly #template: Buffer;
  readonly #places: readonly Places[];

  constructor(options: LogFramesOptions) {
    this.#options = options;
    this.#texts = logTexts(options.length);
    const frames: Buffer[] = [];
    const places: Places[] = [];
    let start = 0;
    for (let index = 0; index < textCount; index += 1) {
      const payload = Buffer.from(JSON.stringify(this.message(index)));
      const frame = Buffer.concat([headerOf(payload.length), payload]);
      frames.push(frame);
      places.push({
        start,
        id: start + frame.indexOf('"id":') + 5,
        mark: start + frame.indexOf(numberMark) + numberMark.length,
        second: start + frame.indexOf('2026-'),
      });
      start += frame.length;
    }
    this.#template = Buffer.concat(frames);
    this.#places = places;
  }

  /** Bytes of a thousand lines. */
  get blockLength(): number {
    return this.#template.length;
  }

  /** The message of a line as the contract shows it. */
  message(line: number): object {
    const { deployment, services } = this.#options;
    const number = numbersBegin + line;
    const text = this.#texts[line % textCount] ?? '';
    return {
      type: 'log',
      id: number,
      deploymentId: deployment,
      serviceName: services[line % services.length],
      timestamp: new Date(began + line).toISOString(),
      logLine: text.replace(numberMark + '0'.repeat(numberDigits), numberMark + String(number)),
      stream: 'stdout',
    };
  }

  /** A block to be filled by {@link fill}. */
  block(): Buffer {
    return Buffer.from(this.#template);
  }

  /** Makes a block that of the line `first`; gives the part from it to before `end`, within it. */
  fill(block: Buffer, first: number, end: number): Buffer {
    const base = first - (first % textCount);
    const high = Buffer.from(String(numbersBegin + base).slice(0, highDigits));
    const second = Buffer.from(new Date(began + base).toISOString().slice(0, secondLength));
    const last = Math.min(end, base + textCount) - base;
    for (let index = first - base; index < last; index += 1) {
      const places = this.#places[index];
      if (places === undefined) break;
      put(block, places.id, high);
      put(block, places.mark, high);
      put(block, places.second, second);
    }
    const until = this.#places[last]?.start ?? block.length;
    return block.subarray(this.#places[first - base]?.start, until);
  }
}

/** Faster than a copy by the runtime for so few bytes. */
function put(into: Buffer, at: number, bytes: Buffer): void {
  for (let index = 0; index < bytes.length; index += 1) into[at + index] = bytes[index] ?? 0;
}

function headerOf(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, length]);
  return Buffer.from([0x81, 126, length >> 8, length & 0xff]);
}
