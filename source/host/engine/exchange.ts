import type { IncomingHttpHeaders } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { Client, type Dispatcher } from 'undici';
import type { EnginePlace } from './engine-place.ts';

/** One HTTP request to an engine. */
export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  /** Whether the engine may take the connection over for a raw stream. */
  readonly upgrades?: boolean | undefined;
}

/** The head of the engine's answer, and its body as it arrives. */
export interface EngineAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Destroy it when it is not read to its end. Has a listener for errors. */
  readonly body: Readable;
}

/**
 * Sends a request on a connection of its own, and resolves with the head of the answer. Engines
 * close idle connections when they like, and a request that changes something can't be sent twice.
 * An aborted signal ends the exchange at any moment, also in the middle of the body.
 */
export async function exchange(
  place: EnginePlace,
  request: EngineRequest,
  signal: AbortSignal,
): Promise<EngineAnswer> {
  signal.throwIfAborted();
  const client = new Client('origin' in place ? place.origin : 'http://localhost', {
    // Deadlines are the caller's: an engine is silent for as long as a container runs.
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

/** Makes a stream of an answer, read no faster than its reader takes it. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly answer = Promise.withResolvers<EngineAnswer>();
  #body: Readable | undefined;

  abort(reason: Error): void {
    this.answer.reject(reason);
    this.#body?.destroy(reason);
  }

  onRequestStart(): void {
    // Required by undici; there is nothing to do before the answer.
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
    // An error that comes when nobody reads any more must not end the host.
    body.on('error', () => undefined);
    this.#body = body;
    this.answer.resolve({ status, headers, body });
  }
}
