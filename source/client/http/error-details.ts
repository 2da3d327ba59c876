import { isRecord, type JsonRecord } from '../decode/fields.ts';
import type { ErrorDetail } from './errors.ts';
import { ownMessageOf, saidIn } from './error-message.ts';

const mostDetails = 100;
const deepest = 5;

/**
 * What an error body finds wrong in what was sent, one by one, where it says in which field or at
 * which line: as records (`{field, expected, line, column}`, `{loc, msg}`, `{message, location}`),
 * or as a message that names a line. Texts are unsanitised.
 */
export function detailsIn(body: string): readonly ErrorDetail[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    const said = saidIn(body);
    const place = said === undefined ? undefined : placeIn(said);
    return said === undefined || place === undefined ? [] : [{ said, ...place }];
  }
  return detailsOf(json);
}

/** The same of a body that is parsed. */
export function detailsOf(json: unknown): readonly ErrorDetail[] {
  return collect(json, 0).slice(0, mostDetails);
}

/** What is said further inside is said more exactly. */
function collect(json: unknown, depth: number): readonly ErrorDetail[] {
  if (depth > deepest) return [];
  if (Array.isArray(json)) {
    return json.slice(0, mostDetails).flatMap((item) => collectItem(item, depth + 1));
  }
  if (!isRecord(json)) return [];
  const inside = Object.values(json).flatMap((value) =>
    typeof value === 'object' ? collect(value, depth + 1) : [],
  );
  return inside.length > 0 ? inside : detailOf(json);
}

/** Lists also hold plain messages. */
function collectItem(item: unknown, depth: number): readonly ErrorDetail[] {
  if (typeof item !== 'string') return collect(item, depth);
  const place = placeIn(item);
  return place === undefined ? [] : [{ said: item, ...place }];
}

function detailOf(record: JsonRecord): readonly ErrorDetail[] {
  const { expected } = record;
  const said = typeof expected === 'string' ? `expected ${expected}` : ownMessageOf(record);
  if (said === undefined || said === '') return [];
  const field = fieldOf(record);
  const place = placeOf(record) ?? placeIn(said);
  if (field === undefined && place === undefined) return [];
  return [{ ...(field !== undefined && { field }), said, ...place }];
}

function fieldOf({ field, loc, path }: JsonRecord): string | undefined {
  const name = [field, loc, path].find((value) => value !== undefined);
  if (typeof name === 'string') return name === '' ? undefined : name;
  if (!Array.isArray(name)) return undefined;
  const parts = name.filter((part) => typeof part === 'string' || typeof part === 'number');
  return parts.length === 0 ? undefined : parts.join('.');
}

interface Place {
  readonly line: number;
  readonly column?: number;
}

function placeOf(record: JsonRecord): Place | undefined {
  const inner = [record['location'], record['position']].find(isRecord) ?? {};
  for (const { line, lineNumber, line_number, column, col } of [record, inner]) {
    const place = placeAt(line ?? lineNumber ?? line_number, column ?? col);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Of blanks before a number few are read: of many, each could belong to two places. */
const inText =
  /\blines?\s{0,8}[:#]?\s{0,8}(\d{1,7})(?:(?:\s*[,;]\s*|\s+)(?:and\s+)?(?:col(?:umn)?|char(?:acter)?)\.?\s*:?\s*(\d{1,7})|:(\d{1,7}))?/i;

/** `line 4`, `line 4, column 7`, `line 4:7`. */
function placeIn(text: string): Place | undefined {
  const [, line, column, after] = inText.exec(text) ?? [];
  return placeAt(line, column ?? after);
}

/** Lines and columns count from 1; what does not is no place. */
function placeAt(line: unknown, column: unknown): Place | undefined {
  const [row, cell] = [countOf(line), countOf(column)];
  if (row === undefined) return undefined;
  return { line: row, ...(cell !== undefined && { column: cell }) };
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 1 ? count : undefined;
}
