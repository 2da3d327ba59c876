import type { ForeignOptions } from './options.ts';

/** Answer of a route. A Buffer is sent unchanged, any other body as JSON. */
export interface ForeignAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An authenticated request with its encoded path. */
export interface ForeignRequest {
  readonly method: string;
  /** Encoded path below the prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
  /** Wallet of the request's token. */
  readonly wallet: string;
}

/** Answers the requests of one resource; undefined for others. */
export type Routes = (request: ForeignRequest) => Promise<ForeignAnswer | undefined>;

type Style = Pick<ForeignOptions, 'envelope' | 'errors' | 'fieldCase'>;

/**
 * Wraps a list of `noun` in the envelope of this service; a part of it with the `total` of the whole,
 * except in a bare one.
 */
export function listAnswer(
  style: Style,
  noun: string,
  list: readonly unknown[],
  total = list.length,
): ForeignAnswer {
  const isPart = total > list.length;
  const bodies = {
    bare: list,
    named: { [noun]: list, ...(isPart ? { total } : {}) },
    data: { success: true, data: list, ...(isPart ? { pagination: { total } } : {}) },
    result: { result: { [noun]: list, ...(isPart ? { total_count: total } : {}) } },
    'data-items': { data: { items: list, total } },
  };
  return { status: 200, body: bodies[style.envelope] };
}

/** Wraps one resource in the envelope of this service. */
export function oneAnswer(
  style: Style,
  status: number,
  noun: string,
  resource: object,
): ForeignAnswer {
  const bodies = {
    bare: resource,
    named: { [noun]: resource },
    data: { success: true, data: resource },
    result: { result: { [noun]: resource } },
    'data-items': { data: resource },
  };
  return { status, body: bodies[style.envelope] };
}

export function errorAnswer(style: Style, status: number, message: string): ForeignAnswer {
  const bodies = {
    detail: { detail: message },
    text: Buffer.from(message),
    message: { message },
    nested: { success: false, error: { code: `E${status}`, message } },
    list: { errors: [{ field: 'request', message }] },
    html: Buffer.from(`<!DOCTYPE html><html><body><h1>${status}</h1>${message}</body></html>`),
  };
  const type = { text: 'text/plain', html: 'text/html' }[style.errors as string];
  return {
    status,
    body: bodies[style.errors],
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
  };
}

/** Converts the field names of a record to the case of this service. */
export function cased(style: Style, record: Readonly<Record<string, unknown>>): object {
  if (style.fieldCase === 'camel') return record;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** Returns the JSON object in the request's body; undefined for other bodies. */
export function jsonOf({ body, contentType }: ForeignRequest): Record<string, unknown> | undefined {
  if (!contentType.startsWith('application/json')) return undefined;
  try {
    const json: unknown = JSON.parse(body.toString());
    return typeof json === 'object' && json !== null
      ? (json as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
