import { isRequestablePath, type PathForm } from '../contract/routes.ts';
import type { Result } from './http/errors.ts';

/**
 * Chooses between the two forms of `:path` and remembers the working one for the connection. A path
 * without a slash is the same in both forms.
 */
export interface PathFormMemory {
  /**
   * Reads with the known form. While none is known, a 404 is retried in the other form, which is
   * safe because a GET changes nothing.
   */
  read<T>(path: string, send: Send<T>): Promise<Result<T>>;
  /**
   * Writes with the known form. While none is known, `probe` tries to learn it by reading a file. If
   * that fails too, a 404 (nothing was changed) permits one attempt in the other form.
   */
  write<T>(path: string, probe: () => Promise<unknown>, send: Send<T>): Promise<Result<T>>;
}

type Send<T> = (form: PathForm) => Promise<Result<T>>;

/** Creates the path form memory of one connection. */
export function createPathFormMemory(): PathFormMemory {
  let knownForm: PathForm | undefined;

  const tryBoth = async <T>(send: Send<T>): Promise<Result<T>> => {
    const first = await send('segments');
    if (first.ok) knownForm ??= 'segments';
    if (first.ok || first.error.status !== 404) return first;
    const second = await send('whole');
    if (second.ok) knownForm ??= 'whole';
    // Some gateways reject %2F with 400; the service's own answer is then the first one.
    const isMiss = !second.ok && (second.error.status === 404 || second.error.status === 400);
    return isMiss ? first : second;
  };

  const sendKnown = <T>(path: string, send: Send<T>): Promise<Result<T>> | undefined => {
    if (!path.includes('/') || !isRequestablePath(path)) return send('segments');
    return knownForm === undefined ? undefined : send(knownForm);
  };

  return {
    read: (path, send) => sendKnown(path, send) ?? tryBoth(send),
    async write(path, probe, send) {
      const sent = sendKnown(path, send);
      if (sent !== undefined) return sent;
      await probe();
      return sendKnown(path, send) ?? tryBoth(send);
    },
  };
}
