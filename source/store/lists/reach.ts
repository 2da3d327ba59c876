import type { ServiceError } from '../../client/http/errors.ts';

/** Whether the service answers at all; the answers themselves belong to each list. */
export type Reach =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'up' }
  | {
      readonly kind: 'away';
      /** Time of the first request without an answer, or of a later answer to another one. */
      readonly since: number;
      readonly nextTry: number;
      readonly error: ServiceError;
    };
