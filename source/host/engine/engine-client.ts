import type { Readable } from 'node:stream';
import { Deadline } from './deadline.ts';
import { EngineError, errorMessage } from './engine-error.ts';
import type { EnginePlace } from './engine-place.ts';
import { type EngineAnswer, type EngineRequest, exchange } from './exchange.ts';

export interface EngineCall {
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent piece by piece, as a tar archive. */
  readonly archive?: AsyncIterable<Uint8Array> | undefined;
  /** Whether the engine may take the connection over for a raw stream. */
  readonly upgrades?: boolean | undefined;
  /** Longest silence, in ms; also the longest time of the call unless `totalMs` says more. */
  readonly silenceMs?: number | undefined;
  readonly totalMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Newest API version whose description was compared with what is used here. */
const newestVersion = '1.55';

/** An engine that does not answer a ping within this is taken for gone. */
const pingMs = 3000;

const answerMs = 15_000;

/** Longest answer that is read as a whole. Of a failure's body only the beginning is. */
const mostBytes = 16 * 2 ** 20;
const mostErrorBytes = 64 * 1024;

/**
 * A client of the Docker Engine API, for Docker from 20.10 and Podman from 4.3. Every call has a
 * deadline and a bound on the bytes that it holds. Calls reject with an {@link EngineError} for an
 * answer that is a failure, or none; and with the errors of Node and undici for no answer.
 */
export class EngineClient {
  readonly place: EnginePlace;
  /** Begins the path of each call: `/v1.41`; empty where the engine named no version. */
  readonly #prefix: string;

  private constructor(place: EnginePlace, version: string | undefined) {
    this.place = place;
    this.#prefix = version === undefined ? '' : `/v${version}`;
  }

  /** Resolves with a client once the engine has answered a ping (`SystemPing`). */
  static async connect(place: EnginePlace): Promise<EngineClient> {
    const deadline = new Deadline(pingMs);
    try {
      const ping = { method: 'GET', path: '/_ping' } as const;
      const { status, headers, body } = await exchange(place, ping, deadline.signal);
      body.destroy();
      if (status !== 200) throw new EngineError(`ping was answered with ${status}`, status);
      const version = headers['api-version'];
      return new EngineClient(place, typeof version === 'string' ? common(version) : undefined);
    } finally {
      deadline.end();
    }
  }

  /** Resolves with the JSON of the answer; undefined for one without a body. */
  async request(method: EngineRequest['method'], path: string, call: EngineCall = {}) {
    return parseJson(await this.#read(method, path, call));
  }

  /** Resolves when the engine has done it, whatever else it tells. */
  async command(method: EngineRequest['method'], path: string, call: EngineCall = {}) {
    await this.#read(method, path, call);
  }

  /**
   * Resolves with the body of the answer, to be read as it arrives and to be destroyed. The
   * deadline holds until the answer begins; `signal` holds for all of it.
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

  async #read(method: EngineRequest['method'], path: string, call: EngineCall): Promise<string> {
    const deadline = new Deadline(call.silenceMs ?? answerMs, call.totalMs);
    try {
      const body = await this.#open(method, path, call, deadline);
      const { text, isWhole } = await readText(body, mostBytes, deadline);
      if (!isWhole) throw new EngineError('the container engine answered with more than 16 MiB');
      return text;
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
    const body = json === undefined ? archive && renewing(archive, deadline) : JSON.stringify(json);
    const answer = await exchange(
      this.place,
      {
        method,
        path: `${this.#pathOf(path)}${search === '' ? '' : `?${search}`}`,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
        body,
        upgrades,
      },
      signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]),
    );
    const { status } = answer;
    if (status !== 101 && (status < 200 || status >= 300)) throw await failureOf(answer);
    return answer.body;
  }

  /** Podman's own paths name the version of another API. */
  #pathOf(path: string): string {
    return path.startsWith('/v') ? path : `${this.#prefix}${path}`;
  }
}

/** The version that both speak. An engine refuses those that are too old or new for it. */
function common(version: string): string | undefined {
  const [major, minor] = numbersOf(version);
  if (major === undefined || minor === undefined) return undefined;
  const [newestMajor = 0, newestMinor = 0] = numbersOf(newestVersion);
  const isNewer = major > newestMajor || (major === newestMajor && minor > newestMinor);
  return isNewer ? newestVersion : `${major}.${minor}`;
}

function numbersOf(version: string): readonly number[] {
  return /^\d{1,4}\.\d{1,4}$/.test(version) ? version.split('.').map(Number) : [];
}

async function* renewing(
  pieces: AsyncIterable<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    deadline.renew();
    yield piece;
  }
  deadline.renew();
}

async function failureOf({ status, body }: EngineAnswer): Promise<EngineError> {
  const deadline = new Deadline(answerMs);
  deadline.signal.addEventListener('abort', () => body.destroy());
  // A body that breaks off still has its status.
  const { text } = await readText(body, mostErrorBytes, deadline).catch(() => ({ text: '' }));
  deadline.end();
  return new EngineError(errorMessage(status, text), status);
}

async function readText(body: Readable, most: number, deadline: Deadline) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    deadline.renew();
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > most) break;
  }
  const isWhole = bytes <= most;
  return { text: Buffer.concat(chunks).subarray(0, most).toString(), isWhole };
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new EngineError('the container engine answered with something that is not JSON');
  }
}
