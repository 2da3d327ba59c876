import type { EngineClient } from './engine-client.ts';
import { objectFields } from './fields.ts';

/**
 * Reads a path of Podman's own API (libpod v4.0.0). Resolves with the fields of the answer; with
 * none when the call fails, as on any other engine.
 */
export async function requestPodman(
  client: EngineClient,
  path: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return objectFields(await client.request('GET', `/v4.0.0/libpod/${path}`));
  } catch {
    return {};
  }
}
