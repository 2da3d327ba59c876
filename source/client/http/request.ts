import { refusedError, shapeError, unreadableError } from './answer-errors.ts';
import { refusalIn } from '../decode/envelope.ts';
import type { Decoded } from '../decode/fields.ts';
import type { Result } from './errors.ts';
import type { HttpAnswer, Call, Http } from './http.ts';

/** The text of an answer. Broken UTF-8 in it costs the character, not the answer. */
export function answerText({ bytes }: HttpAnswer): string {
  return new TextDecoder().decode(bytes);
}

type Decode<T> = (json: unknown, text: string) => Decoded<T> | Promise<Decoded<T>>;

/** Sends a request whose answer is JSON and reads it. `decode` also gets the text, for exact numbers. */
export async function request<T>(http: Http, call: Call, decode: Decode<T>): Promise<Result<T>> {
  const answer = await http.send(call);
  return answer.ok ? read(http, call, answer.value, decode) : answer;
}

/** What was read from an answer. */
export interface RequestResult<T> {
  readonly bytes: Uint8Array;
  readonly value: T;
}

/** The same, where the answer is mostly the one before: then `before` itself is given, unread. */
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
  const result = await read(http, call, answer.value, decode);
  return result.ok ? { ok: true, value: { bytes, value: result.value } } : result;
}

async function read<T>(
  http: Http,
  call: Call,
  answer: HttpAnswer,
  decode: Decode<T>,
): Promise<Result<T>> {
  const what = http.asked(call.operation);
  const text = answerText(answer);
  const json = parse(text);
  if (json === undefined) return http.fail(unreadableError(what, answer.status, text));
  const refusal = refusalIn(json.value);
  if (refusal !== undefined) return http.fail(refusedError(what, answer.status, refusal));
  const value = await decode(json.value, text);
  if (!value.ok) return http.fail(shapeError(what, answer.status, text, value));
  return { ok: true, value: value.value, status: answer.status };
}

/**
 * Sends a request whose answer says nothing more than that it was done: any body with a 2xx status,
 * except one that says it failed, or a page (which a proxy sent, not the service).
 */
export async function requestDone(http: Http, call: Call): Promise<Result<void>> {
  const answer = await http.send(call);
  if (!answer.ok) return answer;
  const what = http.asked(call.operation);
  const text = answerText(answer.value);
  if (text.trimStart().startsWith('<')) {
    return http.fail(unreadableError(what, answer.value.status, text));
  }
  const refusal = refusalIn(parse(text)?.value);
  if (refusal !== undefined) return http.fail(refusedError(what, answer.value.status, refusal));
  return { ok: true, value: undefined, status: answer.value.status };
}

/** Undefined for what is no JSON; wrapped, since `null` is. */
function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
