import type { FastifyRequest } from 'fastify';
import { invalidField, badRequest } from '../refusal.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** The source text of a JSON number, since a double does not keep all digits of a decimal. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Body = Readonly<Record<string, unknown>>;

/** Returns the JSON object in a request's body. Throws a 400 or 422 when there is none. */
export function parseJsonBody(request: FastifyRequest): Body {
  return parseObject(request, JSON.parse);
}

/** Like {@link parseJsonBody}, with every number as a {@link ExactNumber}, for amounts of money. */
export function parseExactJsonBody(request: FastifyRequest): Body {
  return parseObject(request, (text) =>
    JSON.parse(text, reviveNumber as Parameters<JSON['parse']>[1]),
  );
}

/** A reviver that uses the source text of numbers (ECMAScript, JSON.parse). */
function reviveNumber(_key: string, value: unknown, { source }: { readonly source?: string }) {
  return typeof value === 'number' && source !== undefined ? new ExactNumber(source) : value;
}

function parseObject(request: FastifyRequest, parse: (text: string) => unknown): Body {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) {
    throw badRequest('The request needs a JSON body.');
  }
  let value: unknown;
  try {
    value = parse(strictUtf8.decode(request.body));
  } catch {
    throw badRequest('The body is not JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField('body', 'a JSON object');
  }
  return Object.fromEntries(Object.entries(value));
}

/** Returns a text field. Throws a 422 for another type or for text without a UTF-8 form. */
export function readTextField(body: Body, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') throw invalidField(field, 'text');
  if (!value.isWellFormed()) throw invalidField(field, 'text without lone surrogates');
  return value;
}
