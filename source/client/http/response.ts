/** Reads the parts of a response: headers, redirects, the decoded body, the text of an error. */
import type { Dispatcher } from 'undici';
import type { AnswerBody } from './content-coding.ts';
import { OversizedAnswer } from './interceptors.ts';
import { ContentCodingError } from './transport-errors.ts';
import { earlyPart } from '../../system/lazy-part.ts';

/** Early, because without it the answer to a write would stay unknown. */
const contentDecoder = earlyPart(() => import('./content-coding.ts'));

/** Returns a function that looks up a header; the first of several values. */
export function headerOf({ headers }: Dispatcher.ResponseData) {
  return (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Returns the target of a redirect to the same origin; the token must not leave it. */
export function redirectTarget(
  status: number,
  location: string | undefined,
  url: URL,
): URL | undefined {
  if (location === undefined || !redirectStatuses.has(status)) return undefined;
  const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
  return target?.origin === url.origin ? target : undefined;
}

/** Largest number of bytes that are read of an error body. */
const errorBodyLimit = 64 * 1024;

/** Returns a body without its content codings. The decoders load with the first coded body. */
export async function openBody(
  body: AnswerBody,
  contentEncoding: string | readonly string[] | undefined,
): Promise<AnswerBody> {
  if (contentEncoding === undefined) return body;
  const { decodeBody } = await contentDecoder();
  return decodeBody(body, String(contentEncoding));
}

/** Reads a body; throws {@link OversizedAnswer} when its decoded bytes are more than the limit. */
export async function readBytes(body: AnswerBody, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) throw new OversizedAnswer();
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
}

/** The text of an error body; `problem` is a clause that tells why it cannot be decoded. */
export interface ErrorText {
  readonly text: string;
  readonly problem?: string;
}

/** Reads the text of an error body up to a limit, or up to where the body breaks off. */
export async function readError(
  body: AnswerBody,
  contentEncoding: string | readonly string[] | undefined,
): Promise<ErrorText> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of await openBody(body, contentEncoding)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= errorBodyLimit) break;
    }
  } catch (error) {
    if (error instanceof ContentCodingError) return { text: '', problem: error.message };
  }
  // Leaves out a byte order mark, which would hide the details of a JSON error.
  return { text: new TextDecoder().decode(Buffer.concat(chunks)) };
}
