/** Tells failed requests that may succeed later from those that stay as they are. */
import type { ErrorCode, ServiceError } from '../client/http/errors.ts';

const passing: ReadonlySet<ErrorCode> = new Set([
  'refused',
  'dns',
  'timeout',
  'disconnected',
  'rate-limited',
  'service-error',
]);

/** Returns whether a failed request is worth another one later. */
export function isPassing({ code }: Pick<ServiceError, 'code'>): boolean {
  return passing.has(code);
}
