import { isRequestablePath, type PathForm } from '../contract/routes.ts';
import type { Result } from './http/errors.ts';

/**
 * Which of the two forms of `:path` the service understands (open points, "`:path` with slashes").
 * Found once for a connection. A path without a slash is the same in both.
 */
export interface PathForms {
  /**
   * Reads with the form that works, and finds it out where it is not known: a GET changes nothing,
   * so a 404 is simply asked again in the other form.
   */
  read<T>(path: string, send: Send<T>): Promise<Result<T>>;
  /**
   * Writes with the form that works. While it is not known, `probe` may find it out by reading; where
   * that decides nothing, a 404 (nothing was done) permits the other form once.
   */
  write<T>(path: string, probe: () => Promise<unknown>, send: Send<T>): Promise<Result<T>>;
}

type Send<T> = (form: PathForm) => Promise<Result<T>>;

export function createPathForms(): PathForms {
  let known: PathForm | undefined;

  const either = async <T>(send: Send<T>): Promise<Result<T>> => {
    const first = await send('segments');
    if (first.ok) known ??= 'segments';
    if (first.ok || first.error.status !== 404) return first;
    const second = await send('whole');
    if (second.ok) known ??= 'whole';
    // Gateways that allow no %2F answer it with 400: then the first answer was the service's.
    const nowhere = !second.ok && (second.error.status === 404 || second.error.status === 400);
    return nowhere ? first : second;
  };

  const now = <T>(path: string, send: Send<T>): Promise<Result<T>> | undefined => {
    if (!path.includes('/') || !isRequestablePath(path)) return send('segments');
    return known === undefined ? undefined : send(known);
  };

  return {
    read: (path, send) => now(path, send) ?? either(send),
    async write(path, probe, send) {
      const sent = now(path, send);
      if (sent !== undefined) return sent;
      await probe();
      return now(path, send) ?? either(send);
    },
  };
}
