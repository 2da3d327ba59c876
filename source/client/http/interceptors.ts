import type { Dispatcher } from 'undici';
import { isRetryable } from './retry.ts';

/** An answer that broke off after it began. */
export class CutAnswer extends Error {
  override readonly name = 'CutAnswer';

  constructor(cause: Error) {
    super('the answer broke off', { cause });
  }
}

/**
 * Undici's retry resumes an answer that broke off with a `Range` request, and without an `ETag` it
 * joins the halves of two different versions. Below the retry, this turns the cut of an answer that
 * is already being handed on into an error that is not retried.
 */
export const wholeAnswers: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    let final = false;
    return dispatch(options, {
      ...passing(handler),
      onResponseStart(controller, status, headers, message) {
        final = status >= 200 && !isRetryable(status);
        handler.onResponseStart?.(controller, status, headers, message);
      },
      onResponseError(controller, error) {
        handler.onResponseError?.(controller, final ? new CutAnswer(error) : error);
      },
    });
  };

/** Tells `onSent` the bytes of the body that were handed to the socket, in all. */
export function countSent(
  onSent: (bytes: number) => void,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    let sent = 0;
    return dispatch(options, {
      ...passing(handler),
      onBodySent(chunk) {
        sent += chunk.byteLength;
        onSent(sent);
        handler.onBodySent?.(chunk);
      },
    });
  };
}

/** A handler that hands everything on. Undici's own decorator is deprecated and untyped. */
function passing(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
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
