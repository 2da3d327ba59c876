/** Sends requests with JSON answers and decodes them. */
import { createRefusalError, createShapeError, createUnreadableError } from './answer-errors.ts';
import { findRefusal } from '../decode/envelope.ts';
import type { Decoded } from '../decode/fields.ts';
import { parseJson, parseLongAnswer } from '../decode/long-answer.ts';
import type { Result } from './errors.ts';
import type { HttpAnswer, RequestCall, Http } from './http.ts';

/** Returns the text of an answer; invalid UTF-8 becomes U+FFFD. */
export function decodeAnswerText({ bytes }: HttpAnswer): string {
  return new TextDecoder().decode(bytes);
}

type Decode<T> = (json: unknown, text: string) => Decoded<T> | Promise<Decoded<T>>;

/** Sends a request and decodes its JSON answer. `decode` also receives the text, for exact numbers. */
export async function request<T>(
  http: Http,
  call: RequestCall,
  decode: Decode<T>,
): Promise<Result<T>> {
  const answer = await http.send(call);
  return answer.ok ? decodeAnswer(http, call, answer.value, decode) : answer;
}

/** The bytes of an answer and its decoded value. */
export interface DecodedAnswer<T> {
  readonly bytes: Uint8Array;
  readonly value: T;
}

/**
 * Sends a request for a list like {@link request}; returns `before` itself when the answer has equal
 * bytes. `decode` may find items of a long list as their texts.
 */
export async function requestIfChanged<T>(
  http: Http,
  call: RequestCall,
  before: DecodedAnswer<T> | undefined,
  decode: Decode<T>,
): Promise<Result<DecodedAnswer<T>>> {
  const answer = await http.send(call);
  if (!answer.ok) return answer;
  const { bytes } = answer.value;
  if (before !== undefined && Buffer.compare(before.bytes, bytes) === 0) {
    return { ok: true, value: before };
  }
  const result = await decodeAnswer(http, call, answer.value, decode, parseLongAnswer);
  return result.ok ? { ok: true, value: { bytes, value: result.value } } : result;
}

/**
 * Bytes from which an answer is read in several turns of the event loop. In one turn, an answer of
 * 4 MB would block keys for 15 ms instead of 8.
 */
const longAnswer = 262_144;

async function decodeAnswer<T>(
  http: Http,
  call: RequestCall,
  answer: HttpAnswer,
  decode: Decode<T>,
  parseLong: typeof parseJson | typeof parseLongAnswer = parseJson,
): Promise<Result<T>> {
  const target = http.targetOf(call.operation);
  const isLong = answer.bytes.length >= longAnswer;
  if (isLong) await http.workTurn();
  const text = decodeAnswerText(answer);
  if (isLong) await http.workTurn();
  const json = isLong ? await parseLong(text, http.workTurn) : parseJson(text);
  if (isLong) await http.workTurn();
  if (json === undefined) return http.fail(createUnreadableError(target, answer.status, text));
  const refusal = findRefusal(json.value);
  if (refusal !== undefined) return http.fail(createRefusalError(target, answer.status, refusal));
  const value = await decode(json.value, text);
  if (!value.ok) return http.fail(createShapeError(target, answer.status, text, value));
  return { ok: true, value: value.value, status: answer.status };
}

/**
 * Sends a request whose answer carries no value. Any body with a 2xx status is a success, except one
 * with `success: false` and markup, which comes from a proxy.
 */
export async function requestDone(http: Http, call: RequestCall): Promise<Result<void>> {
  const answer = await http.send(call);
  if (!answer.ok) return answer;
  const target = http.targetOf(call.operation);
  const text = decodeAnswerText(answer.value);
  if (text.trimStart().startsWith('<')) {
    return http.fail(createUnreadableError(target, answer.value.status, text));
  }
  const refusal = findRefusal(parseJson(text)?.value);
  if (refusal !== undefined)
    return http.fail(createRefusalError(target, answer.value.status, refusal));
  return { ok: true, value: undefined, status: answer.value.status };
}
