/** Extracts the error details (field, message, line) from an error body. */
import { isRecord, type JsonRecord } from '../decode/fields.ts';
import type { ErrorDetail } from './errors.ts';
import { findOwnErrorMessage, parseErrorMessage } from './error-message.ts';

const maxDetails = 100;
const maxDepth = 5;

/**
 * Returns the error details of a body: one for each error with a field or a line, whether as records
 * (`{field, expected, line, column}`, `{loc, msg}`, `{message, location}`) or as a message that names
 * a line. Texts are unsanitised.
 */
export function parseErrorDetails(body: string): readonly ErrorDetail[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    const message = parseErrorMessage(body);
    const position = message === undefined ? undefined : parsePosition(message);
    return message === undefined || position === undefined ? [] : [{ message, ...position }];
  }
  return findErrorDetails(json);
}

/** Returns the error details of a parsed body, at most 100. */
export function findErrorDetails(json: unknown): readonly ErrorDetail[] {
  return collect(json, 0).slice(0, maxDetails);
}

/** Collects the details of nested records, which are more exact than those of the outer record. */
function collect(json: unknown, depth: number): readonly ErrorDetail[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(json)) {
    return json.slice(0, maxDetails).flatMap((item) => collectItem(item, depth + 1));
  }
  if (!isRecord(json)) return [];
  const nested = Object.values(json).flatMap((value) =>
    typeof value === 'object' ? collect(value, depth + 1) : [],
  );
  return nested.length > 0 ? nested : readDetail(json);
}

/** Collects the details of a list item, which may be a plain message. */
function collectItem(item: unknown, depth: number): readonly ErrorDetail[] {
  if (typeof item !== 'string') return collect(item, depth);
  const position = parsePosition(item);
  return position === undefined ? [] : [{ message: item, ...position }];
}

function readDetail(record: JsonRecord): readonly ErrorDetail[] {
  const { expected } = record;
  const message =
    typeof expected === 'string' ? `expected ${expected}` : findOwnErrorMessage(record);
  if (message === undefined || message === '') return [];
  const field = readField(record);
  const position = readPosition(record) ?? parsePosition(message);
  if (field === undefined && position === undefined) return [];
  return [{ ...(field !== undefined && { field }), message, ...position }];
}

function readField({ field, loc, path }: JsonRecord): string | undefined {
  const name = [field, loc, path].find((value) => value !== undefined);
  if (typeof name === 'string') return name === '' ? undefined : name;
  if (!Array.isArray(name)) return undefined;
  const parts = name.filter((part) => typeof part === 'string' || typeof part === 'number');
  return parts.length === 0 ? undefined : parts.join('.');
}

/** Line and column, both counted from 1. */
interface Position {
  readonly line: number;
  readonly column?: number;
}

function readPosition(record: JsonRecord): Position | undefined {
  const nested = [record['location'], record['position']].find(isRecord) ?? {};
  for (const { line, lineNumber, line_number, column, col } of [record, nested]) {
    const position = toPosition(line ?? lineNumber ?? line_number, column ?? col);
    if (position !== undefined) return position;
  }
  return undefined;
}

/** Reads only a few spaces before the number; a longer run makes the match quadratic. */
const positionPattern =
  /\blines?\s{0,8}[:#]?\s{0,8}(\d{1,7})(?:(?:\s*[,;]\s*|\s+)(?:and\s+)?(?:col(?:umn)?|char(?:acter)?)\.?\s*:?\s*(\d{1,7})|:(\d{1,7}))?/i;

/** Parses `line 4`, `line 4, column 7` and `line 4:7` in a message. */
function parsePosition(text: string): Position | undefined {
  const [, line, column, columnAfterColon] = positionPattern.exec(text) ?? [];
  return toPosition(line, column ?? columnAfterColon);
}

/** Returns undefined unless `line` is a number from 1; a column below 1 is dropped. */
function toPosition(line: unknown, column: unknown): Position | undefined {
  const [row, cell] = [parseCount(line), parseCount(column)];
  if (row === undefined) return undefined;
  return { line: row, ...(cell !== undefined && { column: cell }) };
}

function parseCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 1 ? count : undefined;
}
