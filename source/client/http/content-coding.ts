/** Decodes the content codings of answers (RFC 9110, 8.4). */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { ContentCodingError } from './transport-errors.ts';

/** The body of an answer, in the parts in which it arrives. */
export type AnswerBody = AsyncIterable<Uint8Array>;

/** Most codings of one answer: each costs memory, and no service needs more than two. */
const maxCodings = 5;

type Decoder = ReturnType<typeof createGunzip | typeof createZstdDecompress>;

/** Bytes of a decoded part; with Node's 16 KiB a download spends more time in its callbacks. */
const chunkSize = 64 * 1024;

/** Creates the decoder of each coding; `first` is the first byte of the coded body. */
const decoders: ReadonlyMap<string, (first: number) => Decoder> = new Map<
  string,
  (first: number) => Decoder
>([
  ['gzip', () => createGunzip({ chunkSize })],
  ['x-gzip', () => createGunzip({ chunkSize })],
  // Some services send deflate without the zlib header that RFC 9110, 8.4.1.2 requires.
  [
    'deflate',
    (first) =>
      (first & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize }),
  ],
  ['br', () => createBrotliDecompress({ chunkSize })],
  // RFC 9659, 3: decoders need not support windows above 8 MiB.
  [
    'zstd',
    () => createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
  ],
]);

/**
 * Returns the decoded parts of a body; an empty body is empty in any coding. Errors of the body itself
 * pass through.
 * @param contentEncoding the codings in the order in which the service applied them.
 * @throws {@link ContentCodingError} for an unknown coding, and, while the parts are read, for bytes
 * that are not in the named coding, end before it ends, or follow its end.
 */
export function decodeBody(body: AnswerBody, contentEncoding: string): AnswerBody {
  return parseCodings(contentEncoding).reduceRight(decodeOne, body);
}

/** Parses a `Content-Encoding` header; `identity` is left out. */
function parseCodings(contentEncoding: string): readonly string[] {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > maxCodings) {
    throw new ContentCodingError(`it has more than ${maxCodings} content codings`);
  }
  return codings;
}

async function* decodeOne(body: AnswerBody, coding: string): AsyncGenerator<Uint8Array> {
  const parts = body[Symbol.asyncIterator]();
  try {
    let first = await parts.next();
    while (first.done !== true && first.value.length === 0) first = await parts.next();
    if (first.done === true) return;
    const decoder = decoders.get(coding)?.(first.value[0] ?? 0);
    if (decoder === undefined) {
      throw new ContentCodingError(`its content coding "${coding.slice(0, 40)}" is unknown`);
    }
    yield* decodeParts(first.value, parts, decoder, coding);
  } finally {
    await parts.return?.();
  }
}

async function* decodeParts(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  decoder: Decoder,
  coding: string,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let bodyError: unknown;
  async function* coded(): AsyncGenerator<Uint8Array> {
    try {
      for (
        let part: IteratorResult<Uint8Array> = { done: false, value: first };
        part.done !== true;
        part = await rest.next()
      ) {
        received += part.value.length;
        // Bytes after the end of the coding may never end.
        if (decoder.readableEnded) break;
        yield part.value;
      }
    } catch (error) {
      bodyError = error;
      throw error;
    }
  }
  const feeding = pipeline(Readable.from(coded()), decoder);
  // The decoder emits the same error, which is handled below.
  feeding.catch(() => {});
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
    await feeding;
  } catch (error) {
    if (bodyError !== undefined) throw bodyError;
    if (decoder.readableEnded) throw trailingBytes(coding);
    throw codingError(coding, error);
  }
  if (received > decoder.bytesWritten) throw trailingBytes(coding);
}

function codingError(coding: string, cause: unknown): ContentCodingError {
  const { code } = cause as NodeJS.ErrnoException;
  // Node's code where the input of any decoder ends before its coding does.
  if (code === 'Z_BUF_ERROR') {
    return new ContentCodingError(`its ${coding} coding is cut off`, { cause });
  }
  return new ContentCodingError(`it is not valid ${coding}, which it says it is`, { cause });
}

function trailingBytes(coding: string): ContentCodingError {
  return new ContentCodingError(`bytes follow the end of its ${coding} coding`);
}
