import type { IncomingHttpHeaders } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { Client, type Dispatcher } from 'undici';
import type { EngineEndpoint } from './engine-place.ts';

/** One HTTP request to an engine. */
export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  /** True when the engine may upgrade the connection to a raw stream. */
  readonly upgrades?: boolean | undefined;
}

/** The head of the engine's answer, and its body as it arrives. */
export interface EngineAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The caller must read it to its end or destroy it. Has a listener for errors. */
  readonly body: Readable;
}

/**
 * Sends a request on a new connection, and resolves with the head of the answer. Connections are
 * not reused: engines close idle ones at any time, and a request with effects can't be sent twice.
 * The signal ends the exchange at any moment, also in the middle of the body.
 */
export async function exchange(
  place: EngineEndpoint,
  request: EngineRequest,
  signal: AbortSignal,
): Promise<EngineAnswer> {
  signal.throwIfAborted();
  const client = new Client('origin' in place ? place.origin : 'http://localhost', {
    // The caller sets deadlines: an engine may be silent for as long as a container runs.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 0,
    connect: 'origin' in place ? { ...place.certificates } : { socketPath: place.socketPath },
  });
  const handler = new AnswerHandler();
  const abort = () => {
    const reason: Error = signal.reason;
    handler.abort(reason);
    void client.destroy(reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  client.dispatch(
    {
      method: request.method,
      path: request.path,
      headers: { ...request.headers },
      body: (request.body ?? null) as Dispatcher.DispatchOptions['body'],
      upgrade: request.upgrades === true ? 'tcp' : null,
    },
    handler,
  );
  try {
    const answer = await handler.answer.promise;
    answer.body.once('close', () => {
      signal.removeEventListener('abort', abort);
    });
    return answer;
  } catch (error) {
    signal.removeEventListener('abort', abort);
    throw error;
  }
}

/** Turns undici's events into an answer whose body stream applies backpressure. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly answer = Promise.withResolvers<EngineAnswer>();
  #body: Readable | undefined;

  abort(reason: Error): void {
    this.answer.reject(reason);
    this.#body?.destroy(reason);
  }

  onRequestStart(): void {
    // Required by undici.
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    socket: Duplex,
  ): void {
    this.#begin(status, headers, socket);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    const body = new Readable({
      read: () => {
        controller.resume();
      },
      destroy: (error, done) => {
        controller.abort(error ?? new Error('the answer is not read any further'));
        done(error);
      },
    });
    this.#begin(status, headers, body);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#body?.push(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.abort(error);
  }

  #begin(status: number, headers: IncomingHttpHeaders, body: Readable): void {
    // Without a listener, an error after the last read would end the host.
    body.on('error', () => undefined);
    this.#body = body;
    this.answer.resolve({ status, headers, body });
  }
}
