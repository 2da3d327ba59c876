import type { EngineClient } from './engine-client.ts';
import { engineFields } from './fields.ts';

/**
 * Resolves with what Podman says on a path of its own API (libpod v4.0.0); without fields where the
 * engine is not Podman.
 */
export async function readFromPodman(
  client: EngineClient,
  path: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return engineFields(await client.request('GET', `/v4.0.0/libpod/${path}`));
  } catch {
    return {};
  }
}
