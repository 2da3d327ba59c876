import type { ForeignOptions } from './options.ts';

/** What a route answers. A Buffer is sent as it is, everything else as JSON. */
export interface ForeignAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One authenticated request, its path not yet decoded. */
export interface ForeignRequest {
  readonly method: string;
  /** Below the prefix, as it came. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
  /** Wallet of the token it came with. */
  readonly wallet: string;
}

/** Answers the requests of one noun; undefined for those of others. */
export type Routes = (request: ForeignRequest) => Promise<ForeignAnswer | undefined>;

type Style = Pick<ForeignOptions, 'envelope' | 'errors' | 'fieldCase'>;

/** A list of `noun` in the envelope of this service. */
export function listAnswer(style: Style, noun: string, list: readonly unknown[]): ForeignAnswer {
  const bodies = {
    bare: list,
    named: { [noun]: list },
    data: { success: true, data: list },
    result: { result: { [noun]: list } },
    'data-items': { data: { items: list, total: list.length } },
  };
  return { status: 200, body: bodies[style.envelope] };
}

/** One resource in the envelope of this service. */
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

/** A record with its field names in the case of this service. */
export function cased(style: Style, record: Readonly<Record<string, unknown>>): object {
  if (style.fieldCase === 'camel') return record;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** The request's JSON body; undefined when it is none or not an object. */
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
