/** Sends requests with JSON answers and decodes them. */
import { refusedError, shapeError, unreadableError } from './answer-errors.ts';
import { refusalIn } from '../decode/envelope.ts';
import type { Decoded } from '../decode/fields.ts';
import type { Result } from './errors.ts';
import type { HttpAnswer, Call, Http } from './http.ts';

/** Returns the text of an answer; invalid UTF-8 becomes U+FFFD. */
export function answerText({ bytes }: HttpAnswer): string {
  return new TextDecoder().decode(bytes);
}

type Decode<T> = (json: unknown, text: string) => Decoded<T> | Promise<Decoded<T>>;

/** Sends a request and decodes its JSON answer. `decode` also receives the text, for exact numbers. */
export async function request<T>(http: Http, call: Call, decode: Decode<T>): Promise<Result<T>> {
  const answer = await http.send(call);
  return answer.ok ? decodeAnswer(http, call, answer.value, decode) : answer;
}

/** The bytes of an answer and its decoded value. */
export interface RequestResult<T> {
  readonly bytes: Uint8Array;
  readonly value: T;
}

/** Sends a request like {@link request}; returns `before` itself when the answer has equal bytes. */
export async function askAgain<T>(
  http: Http,
  call: Call,
  before: RequestResult<T> | undefined,
  decode: Decode<T>,
): Promise<Result<RequestResult<T>>> {
  const answer = await http.send(call);
  if (!answer.ok) return answer;
  const { bytes } = answer.value;
  if (before !== undefined && Buffer.compare(before.bytes, bytes) === 0) {
    return { ok: true, value: before };
  }
  const result = await decodeAnswer(http, call, answer.value, decode);
  return result.ok ? { ok: true, value: { bytes, value: result.value } } : result;
}

async function decodeAnswer<T>(
  http: Http,
  call: Call,
  answer: HttpAnswer,
  decode: Decode<T>,
): Promise<Result<T>> {
  const target = http.asked(call.operation);
  const text = answerText(answer);
  const json = parseJson(text);
  if (json === undefined) return http.fail(unreadableError(target, answer.status, text));
  const refusal = refusalIn(json.value);
  if (refusal !== undefined) return http.fail(refusedError(target, answer.status, refusal));
  const value = await decode(json.value, text);
  if (!value.ok) return http.fail(shapeError(target, answer.status, text, value));
  return { ok: true, value: value.value, status: answer.status };
}

/**
 * Sends a request whose answer carries no value. Any body with a 2xx status is a success, except one
 * with `success: false` and markup, which comes from a proxy.
 */
export async function requestDone(http: Http, call: Call): Promise<Result<void>> {
  const answer = await http.send(call);
  if (!answer.ok) return answer;
  const target = http.asked(call.operation);
  const text = answerText(answer.value);
  if (text.trimStart().startsWith('<')) {
    return http.fail(unreadableError(target, answer.value.status, text));
  }
  const refusal = refusalIn(parseJson(text)?.value);
  if (refusal !== undefined) return http.fail(refusedError(target, answer.value.status, refusal));
  return { ok: true, value: undefined, status: answer.value.status };
}

/** Returns undefined for invalid JSON. The value is wrapped because `null` is valid JSON. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
