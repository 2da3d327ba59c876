import type { FastifyRequest } from 'fastify';
import { invalid, unreadable } from './refusal.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON object that a request carries. Throws a 400 when it carries none. */
export function jsonObject(request: FastifyRequest): Readonly<Record<string, unknown>> {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) {
    throw unreadable('The request needs a JSON body.');
  }
  let value: unknown;
  try {
    value = JSON.parse(strictUtf8.decode(request.body));
  } catch {
    throw unreadable('The body is not JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('body', 'a JSON object');
  }
  return Object.fromEntries(Object.entries(value));
}

/** A field that must be text with a UTF-8 form. */
export function textField(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') throw invalid(field, 'text');
  if (!value.isWellFormed()) throw invalid(field, 'text without lone surrogates');
  return value;
}
