import { type Duplex, Readable } from 'node:stream';
import { Deadline } from './deadline.ts';
import { EngineError, errorMessage } from './engine-error.ts';
import type { EngineEndpoint } from './engine-place.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { Client, type Dispatcher } from 'undici';

export interface EngineCall {
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Chunks of a tar archive, sent as the body. */
  readonly archive?: AsyncIterable<Uint8Array> | undefined;
  /** True when the engine may upgrade the connection to a raw stream. */
  readonly upgrades?: boolean | undefined;
  /**
   * Longest time without progress, in ms; also the limit of the whole call unless `totalMs` is set.
   */
  readonly silenceMs?: number | undefined;
  readonly totalMs?: number | undefined;
  /** Largest answer that is accepted; 16 MiB by default. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Newest API version whose description was compared with `engine-api.ts`. */
const newestVersion = '1.55';

/** Time that an engine has to answer a ping. */
const pingMs = 3000;

const answerMs = 15_000;

/** Largest answer, and the part that is read of an error's body. */
const maxBytes = 16 * 2 ** 20;
const maxErrorBytes = 64 * 1024;

/**
 * A client of the Docker Engine API, for Docker from 20.10 and Podman from 4.3. Every call has a
 * deadline and a memory limit. Calls reject with an {@link EngineError} for an error status and for
 * an answer that can't be read, and with the errors of Node and undici without an answer.
 */
export class EngineClient {
  readonly endpoint: EngineEndpoint;
  /** Prefix of each path: `/v1.41`; empty when the engine reported no version. */
  readonly #prefix: string;
  readonly #ended = new AbortController();

  private constructor(place: EngineEndpoint, version: string | undefined) {
    this.endpoint = place;
    this.#prefix = version === undefined ? '' : `/v${version}`;
  }

  /** Resolves with a client once the engine has answered a ping (`SystemPing`). */
  static async connect(place: EngineEndpoint): Promise<EngineClient> {
    const deadline = new Deadline(pingMs);
    try {
      const ping = { method: 'GET', path: '/_ping' } as const;
      const { status, headers, body } = await exchange(place, ping, deadline.signal);
      body.destroy();
      if (status !== 200) throw new EngineError(`ping was answered with ${status}`, status);
      const version = headers['api-version'];
      return new EngineClient(
        place,
        typeof version === 'string' ? negotiateVersion(version) : undefined,
      );
    } finally {
      deadline.end();
    }
  }

  /** Ends all calls under way, which reject, and refuses later ones. */
  end(): void {
    this.#ended.abort();
  }

  /** Resolves with the JSON of the answer; undefined for an empty body. */
  async request(method: EngineRequest['method'], path: string, call: EngineCall = {}) {
    return parseEngineJson((await this.bytes(method, path, call)).toString());
  }

  /** Resolves with the whole body of the answer. */
  async bytes(
    method: EngineRequest['method'],
    path: string,
    call: EngineCall = {},
  ): Promise<Buffer> {
    const deadline = new Deadline(call.silenceMs ?? answerMs, call.totalMs);
    try {
      const body = await this.#open(method, path, call, deadline);
      const limit = call.maxBytes ?? maxBytes;
      const { bytes, isComplete } = await readBytes(body, limit, deadline);
      if (isComplete) return bytes;
      throw new EngineError(`the container engine's answer exceeds ${limit / 2 ** 20} MiB`);
    } finally {
      deadline.end();
    }
  }

  /** Resolves when the engine has completed the call, and ignores the answer's body. */
  async command(method: EngineRequest['method'], path: string, call: EngineCall = {}) {
    await this.bytes(method, path, call);
  }

  /**
   * Resolves with the body of the answer as a stream, which the caller must destroy. The deadline
   * applies until the answer begins, `signal` until the body ends.
   */
  async stream(
    method: EngineRequest['method'],
    path: string,
    call: EngineCall = {},
  ): Promise<Readable> {
    const deadline = new Deadline(call.silenceMs ?? answerMs, call.totalMs);
    try {
      return await this.#open(method, path, call, deadline);
    } finally {
      deadline.end();
    }
  }

  async #open(
    method: EngineRequest['method'],
    path: string,
    { query = {}, headers, json, archive, upgrades, signal }: EngineCall,
    deadline: Deadline,
  ): Promise<Readable> {
    const search = new URLSearchParams(query).toString();
    const type = json === undefined ? 'application/x-tar' : 'application/json';
    const body =
      json === undefined ? archive && renewEachChunk(archive, deadline) : JSON.stringify(json);
    const answer = await exchange(
      this.endpoint,
      {
        method,
        path: `${this.#pathOf(path)}${search === '' ? '' : `?${search}`}`,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
        body,
        upgrades,
      },
      AbortSignal.any([
        deadline.signal,
        this.#ended.signal,
        ...(signal === undefined ? [] : [signal]),
      ]),
    );
    const { status } = answer;
    if (status !== 101 && (status < 200 || status >= 300)) throw await readError(answer);
    return answer.body;
  }

  /** Leaves Podman's own paths alone, which have the version of another API. */
  #pathOf(path: string): string {
    return path.startsWith('/v') ? path : `${this.#prefix}${path}`;
  }
}

/** Returns the newest version that both support; an engine refuses too old and too new ones. */
function negotiateVersion(version: string): string | undefined {
  const [major, minor] = parseVersion(version);
  if (major === undefined || minor === undefined) return undefined;
  const [newestMajor = 0, newestMinor = 0] = parseVersion(newestVersion);
  const isNewer = major > newestMajor || (major === newestMajor && minor > newestMinor);
  return isNewer ? newestVersion : `${major}.${minor}`;
}

function parseVersion(version: string): readonly number[] {
  return /^\d{1,4}\.\d{1,4}$/.test(version) ? version.split('.').map(Number) : [];
}

async function* renewEachChunk(
  chunks: AsyncIterable<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    deadline.renew();
    yield chunk;
  }
  deadline.renew();
}

async function readError({ status, body }: EngineAnswer): Promise<EngineError> {
  const deadline = new Deadline(answerMs);
  deadline.signal.addEventListener('abort', () => body.destroy());
  // The status counts even when the body breaks off.
  const read = readBytes(body, maxErrorBytes, deadline);
  const { bytes } = await read.catch(() => ({ bytes: Buffer.alloc(0) }));
  deadline.end();
  return new EngineError(errorMessage(status, bytes.toString()), status);
}

async function readBytes(body: Readable, limit: number, deadline: Deadline) {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    deadline.renew();
    length += chunk.length;
    chunks.push(chunk);
    if (length > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isComplete: length <= limit };
}

/** Returns the JSON of an answer; undefined for an empty one. */
export function parseEngineJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new EngineError("the container engine's answer is not JSON");
  }
}

/** One HTTP request to an engine. */
interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  /** True when the engine may upgrade the connection to a raw stream. */
  readonly upgrades?: boolean | undefined;
}

/** The head of the engine's answer, and its body as it arrives. */
interface EngineAnswer {
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
async function exchange(
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
