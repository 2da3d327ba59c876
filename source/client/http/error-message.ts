/** Extracts the error message for a person from an error body. */
import { isRecord } from '../decode/fields.ts';

/**
 * Returns the first message in one of the usual shapes of an error body, else the text itself.
 * Returns undefined for an empty body and for markup, which people cannot read.
 */
export function parseErrorMessage(text: string): string | undefined {
  const body = text.trim();
  if (body === '' || body.startsWith('<') || body.includes('\0')) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return body;
  }
  return findErrorMessage(json);
}

/**
 * Keys that carry a message, the most specific first. `error_description` comes from RFC 6749,
 * `title` from RFC 9457.
 */
const messageKeys = [
  'error_description',
  'error',
  'message',
  'detail',
  'errors',
  'msg',
  'reason',
  'title',
];

const maxDepth = 4;

/** Returns the message in a parsed error body; undefined without one. */
export function findErrorMessage(json: unknown, depth = 0): string | undefined {
  if (typeof json === 'string') return json.trim() === '' ? undefined : json.trim();
  if (depth > maxDepth) return undefined;
  if (Array.isArray(json)) {
    const messages = json.flatMap((item) => findErrorMessage(item, depth + 1) ?? []);
    return messages.length === 0 ? undefined : messages.join('; ');
  }
  if (!isRecord(json)) return undefined;
  for (const key of messageKeys) {
    const message = Object.hasOwn(json, key) ? findErrorMessage(json[key], depth + 1) : undefined;
    if (message !== undefined) return withField(json, message);
  }
  return readCode(json);
}

/** Returns the message of a record itself, ignoring nested records. */
export function findOwnErrorMessage(record: Readonly<Record<string, unknown>>): string | undefined {
  const message = messageKeys.map((key) => record[key]).find((value) => typeof value === 'string');
  return message?.trim() === '' ? undefined : message?.trim();
}

/** Prefixes the message of a validation error with its field. */
function withField(record: Readonly<Record<string, unknown>>, message: string): string {
  const field = record['field'] ?? record['loc'];
  if (typeof field === 'string') return `${field}: ${message}`;
  if (Array.isArray(field)) return `${field.filter(isName).join('.')}: ${message}`;
  return message;
}

function isName(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function readCode(record: Readonly<Record<string, unknown>>): string | undefined {
  return typeof record['code'] === 'string' && record['code'] !== '' ? record['code'] : undefined;
}
