import { isRecord } from '../decode/fields.ts';

/**
 * What an error body says, for a person: the first message found in the shapes that services use
 * (open points, "Error body"), else the text itself. Markup says nothing a person wants to read:
 * an HTML page is reduced to its status, which the caller has.
 */
export function saidIn(text: string): string | undefined {
  const body = text.trim();
  if (body === '' || body.startsWith('<') || body.includes('\0')) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return body;
  }
  return messageOf(json);
}

/**
 * Keys that carry a message, the more telling ones first. `error_description` is
 * RFC 6749's, `title` RFC 9457's.
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

const deepest = 4;

/** The message inside a parsed error body; undefined when there is none. */
export function messageOf(json: unknown, depth = 0): string | undefined {
  if (typeof json === 'string') return json.trim() === '' ? undefined : json.trim();
  if (depth > deepest) return undefined;
  if (Array.isArray(json)) {
    const messages = json.flatMap((item) => messageOf(item, depth + 1) ?? []);
    return messages.length === 0 ? undefined : messages.join('; ');
  }
  if (!isRecord(json)) return undefined;
  for (const key of messageKeys) {
    const message = Object.hasOwn(json, key) ? messageOf(json[key], depth + 1) : undefined;
    if (message !== undefined) return located(json, message);
  }
  return code(json);
}

/** The message that stands in a record itself, in none of what is inside it. */
export function ownMessageOf(record: Readonly<Record<string, unknown>>): string | undefined {
  const said = messageKeys.map((key) => record[key]).find((value) => typeof value === 'string');
  return said?.trim() === '' ? undefined : said?.trim();
}

/** Validation errors name the field they mean; without it the message is of little use. */
function located(record: Readonly<Record<string, unknown>>, message: string): string {
  const place = record['field'] ?? record['loc'];
  if (typeof place === 'string') return `${place}: ${message}`;
  if (Array.isArray(place)) return `${place.filter(isName).join('.')}: ${message}`;
  return message;
}

function isName(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function code(record: Readonly<Record<string, unknown>>): string | undefined {
  return typeof record['code'] === 'string' && record['code'] !== '' ? record['code'] : undefined;
}
