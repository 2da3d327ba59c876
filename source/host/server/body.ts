import type { FastifyRequest } from 'fastify';
import { invalid, unreadable } from '../refusal.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** A number as it was written: a double does not keep all digits of a decimal. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Body = Readonly<Record<string, unknown>>;

/** The JSON object that a request carries. Throws a 400 when it carries none. */
export function jsonObject(request: FastifyRequest): Body {
  return objectIn(request, JSON.parse);
}

/** The same with every number as a {@link WrittenNumber}, for amounts of money. */
export function exactJsonObject(request: FastifyRequest): Body {
  return objectIn(request, (text) => JSON.parse(text, asWritten as Parameters<JSON['parse']>[1]));
}

/** A reviver that is given the source text (ECMAScript, JSON.parse). */
function asWritten(_key: string, value: unknown, { source }: { readonly source?: string }) {
  return typeof value === 'number' && source !== undefined ? new WrittenNumber(source) : value;
}

function objectIn(request: FastifyRequest, parse: (text: string) => unknown): Body {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) {
    throw unreadable('The request needs a JSON body.');
  }
  let value: unknown;
  try {
    value = parse(strictUtf8.decode(request.body));
  } catch {
    throw unreadable('The body is not JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('body', 'a JSON object');
  }
  return Object.fromEntries(Object.entries(value));
}

/** A field that must be text with a UTF-8 form. */
export function textField(body: Body, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') throw invalid(field, 'text');
  if (!value.isWellFormed()) throw invalid(field, 'text without lone surrogates');
  return value;
}
