import type { FilesClient } from '../../client/client.ts';
import type { Result } from '../../client/http/errors.ts';
import type { LocalPlace } from '../drafts/places.ts';

/**
 * Writes a whole file: text with PUT, all else as an upload of one part. A service that has no PUT
 * for paths that are new, or not for as much, said so without doing anything: then text is uploaded.
 */
export async function writeFile(
  client: FilesClient,
  { deploymentId, service, path }: LocalPlace,
  bytes: Uint8Array,
): Promise<Result<void>> {
  const text = textIn(bytes);
  if (text !== undefined) {
    const put = await client.update(deploymentId, service, path, text);
    if (put.ok || (put.error.code !== 'not-found' && put.error.code !== 'too-large')) return put;
  }
  return client.upload(deploymentId, service, [{ path, source: { bytes } }]);
}

/** The exact text of UTF-8 bytes, a byte order mark included; undefined for others and for NULs. */
function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
