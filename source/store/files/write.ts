import type { FilesClient } from '../../client/files.ts';
import type { Result } from '../../client/http/errors.ts';
import type { LocalPlace } from '../drafts/places.ts';

/**
 * Writes a whole file: text with PUT, other bytes as an upload of one part. Uploads text too when the
 * service refuses the PUT of a new path (404) or of a text this long (413).
 */
export async function writeFile(
  client: FilesClient,
  { deploymentId, service, path }: LocalPlace,
  bytes: Uint8Array,
): Promise<Result<void>> {
  const text = decodeFileText(bytes);
  if (text !== undefined) {
    const put = await client.update(deploymentId, service, path, text);
    if (put.ok || (put.error.code !== 'not-found' && put.error.code !== 'too-large')) return put;
  }
  return client.upload(deploymentId, service, [{ path, source: { bytes } }]);
}

/** Decodes UTF-8 and keeps a byte order mark; undefined for other encodings and for NULs. */
export function decodeFileText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
