/** Undici interceptors: no resume of truncated answers, and upload progress. */
import type { Dispatcher } from 'undici';
import { isRetryable } from './retry.ts';

/** An answer that broke off after its headers. */
export class TruncatedAnswer extends Error {
  override readonly name = 'TruncatedAnswer';

  constructor(cause: Error) {
    super('the answer broke off', { cause });
  }
}

/** An answer whose announced length is more than the limit; undici refuses received bytes only. */
export class OversizedAnswer extends Error {
  override readonly name = 'OversizedAnswer';
  readonly code = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}

/**
 * Fails truncated answers with {@link TruncatedAnswer}, which undici's retry does not repeat. Otherwise the
 * retry resumes them with a `Range` request, and without an `ETag` it can join two versions.
 */
export const failTruncatedAnswers: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    let isFinal = false;
    return dispatch(options, {
      ...forwardTo(handler),
      onResponseStart(controller, status, headers, message) {
        isFinal = status >= 200 && !isRetryable(status);
        handler.onResponseStart?.(controller, status, headers, message);
      },
      onResponseError(controller, error) {
        handler.onResponseError?.(controller, isFinal ? new TruncatedAnswer(error) : error);
      },
    });
  };

/** Calls `onSent` with the total bytes of the body handed to the socket. */
export function countSent(
  onSent: (bytes: number) => void,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    let sent = 0;
    return dispatch(options, {
      ...forwardTo(handler),
      onBodySent(chunk) {
        sent += chunk.byteLength;
        onSent(sent);
        handler.onBodySent?.(chunk);
      },
    });
  };
}

/** Returns a handler that forwards every event. Undici's own decorator is deprecated and untyped. */
function forwardTo(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (controller, status, headers, socket) =>
      handler.onRequestUpgrade?.(controller, status, headers, socket),
    onResponseStart: (controller, status, headers, message) =>
      handler.onResponseStart?.(controller, status, headers, message),
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    onResponseStarted: () => handler.onResponseStarted?.(),
    onBodySent: (chunk) => handler.onBodySent?.(chunk),
    onRequestSent: () => handler.onRequestSent?.(),
  };
}
