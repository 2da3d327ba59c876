import { engineFields } from './fields.ts';

/** A call that the engine refused, or an answer that no engine gives. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** Status of the answer; undefined for one that could not be read. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Codes of Node and undici for a connection that is refused, missing or broken off. */
const goneCodes: ReadonlySet<unknown> = new Set([
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

const longestReason = 300;

/** Returns why a call failed, as a few words for a log: an engine may quote at any length. */
export function engineReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (goneCodes.has(code)) return 'the container engine does not answer';
  // The name of errors of undici's parser.
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return 'the container engine answered with something that is not HTTP';
  }
  const isLate =
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'));
  if (isLate) return 'the container engine did not answer in time';
  return shorten(error instanceof Error ? error.message : String(error));
}

/** Returns the status of the engine's answer, where it answered. */
export function engineStatus(error: unknown): number | undefined {
  return error instanceof EngineError ? error.status : undefined;
}

/** Returns a text of the engine on one line of limited length. */
export function shorten(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return words.length > longestReason ? `${words.slice(0, longestReason)}…` : words;
}

/**
 * Returns what the body of a failure says: `ErrorResponse.message` (API v1.41), to which Podman
 * adds `cause` and `response`, or plain text. Of a proxy's page only the status is told.
 */
export function errorMessage(status: number, body: string): string {
  const { message, cause } = engineFields(parsed(body));
  for (const said of [message, cause]) {
    if (typeof said === 'string' && said.trim() !== '') return said;
  }
  const isText = body.trim() !== '' && !/^\s*[<[{]/.test(body) && !body.includes('\uFFFD');
  return isText ? body : `the container engine answered with status ${status}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
