import { objectFields } from './fields.ts';

/** An error status of the engine, or an answer that can't be read. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** Status of the answer; undefined for an answer that can't be read. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Codes of Node and undici for a refused, missing or broken connection. */
const connectionErrorCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_INFO',
  'UND_ERR_SOCKET',
]);

const maxReasonLength = 300;

/** Returns the reason of a failed call in a few words for a log; an engine's text is shortened. */
export function engineReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (connectionErrorCodes.has(code)) return 'the container engine does not answer';
  // HTTPParserError is the name of errors of undici's parser.
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return "the container engine's answer is not HTTP";
  }
  const isLate =
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'));
  if (isLate) return 'the container engine did not answer in time';
  return shorten(error instanceof Error ? error.message : String(error));
}

/** Returns the status of the engine's answer; undefined without one. */
export function engineStatus(error: unknown): number | undefined {
  return error instanceof EngineError ? error.status : undefined;
}

/** Returns a text of the engine as one line of at most {@link maxReasonLength} characters. */
export function shorten(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return words.length > maxReasonLength ? `${words.slice(0, maxReasonLength)}…` : words;
}

/**
 * Returns the message in the body of an error: `ErrorResponse.message` (API v1.41), Podman's
 * `cause`, or plain text. For a page of a proxy, returns only the status.
 */
export function errorMessage(status: number, body: string): string {
  const { message, cause } = objectFields(parseJson(body));
  for (const text of [message, cause]) {
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  const isText = body.trim() !== '' && !/^\s*[<[{]/.test(body) && !body.includes('\uFFFD');
  return isText ? body : `the container engine answered with status ${status}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
