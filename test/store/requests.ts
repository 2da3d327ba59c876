import type { ErrorCode, Result, ServiceError } from '../../source/client/http/errors.ts';
import { settled } from '../support/clock.ts';

/** A request that waits for the test to answer it. */
export interface Request<T> {
  /** The parameters of the operation, in their order. */
  readonly asked: readonly string[];
  readonly aborted: boolean;
  /** Answers, and resolves when what the answer sets off has happened. */
  answer(result: Result<T>): Promise<void>;
}

export interface Requests<T> {
  /** All that were sent, oldest first. */
  readonly sent: readonly Request<T>[];
  /** The operation: to be called in place of the client's. */
  send(asked: readonly string[], signal?: AbortSignal): Promise<Result<T>>;
  /** The newest request; throws when there is none. */
  last(): Request<T>;
}

/** One operation of a service whose answers the test gives by hand, in any order. */
export function createRequests<T>(): Requests<T> {
  const sent: Request<T>[] = [];
  return {
    sent,
    send(asked, signal) {
      const { promise, resolve } = Promise.withResolvers<Result<T>>();
      // An aborted request ends at once with an error value, like in the client.
      signal?.addEventListener('abort', () => resolve(failure('aborted')));
      sent.push({
        asked,
        get aborted() {
          return signal?.aborted === true;
        },
        async answer(result) {
          resolve(result);
          await settled();
        },
      });
      return promise;
    },
    last() {
      const request = sent.at(-1);
      if (request === undefined) throw new Error('nothing was sent');
      return request;
    },
  };
}

export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export const done = success(undefined);

export function failure(
  code: ErrorCode,
  more: Partial<ServiceError> = {},
): { readonly ok: false; readonly error: ServiceError } {
  return {
    ok: false,
    error: {
      code,
      operation: 'list deployments',
      sentence: `It ended as ${code}.`,
      next: 'F5 tries again.',
      unknownOutcome: false,
      ...more,
    },
  };
}

/** A record as the client reads it when it knows every field. */
export function read<T>(value: T): { readonly value: T; readonly unknown: {} } {
  return { value, unknown: {} };
}

/** An operation that the test does not expect. */
export function unexpected(): never {
  throw new Error('this operation was not to be asked for');
}
