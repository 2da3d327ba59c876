/** Reads what a response says beside the answer itself: headers, redirects, the text of an error. */
import type { Dispatcher } from 'undici';

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

/** Returns the text of an error body; empty when it breaks off, as the status still tells the error. */
export async function readErrorText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= errorBodyLimit) break;
    }
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString();
}
