/** Decodes log lines, from HTTP answers and from frames of the log stream. */
import type { LogId, LogLine } from '../../contract/logs.ts';
import type { DecodedRecord } from './fields.ts';
import { decodeItems, findList, missingListError } from './envelope.ts';
import {
  type Decoded,
  decodeSuccess,
  createFieldDecoder,
  nonEmptyText,
  isRecord,
  type FieldType,
  decodeFailure,
  text as anyText,
  timestampText,
} from './fields.ts';

/** A message of the log stream. */
export type LogFrame =
  | { readonly kind: 'line'; readonly line: LogLine }
  /** A message that only keeps the connection open. */
  | { readonly kind: 'keep-alive'; readonly description: string }
  /** A message of another type, which is `description`. */
  | { readonly kind: 'other'; readonly description: string }
  /** A message that may hold a line. `description` says what is wrong with it. */
  | { readonly kind: 'unreadable'; readonly description: string };

/** Decodes a log record: the fields of a stream message, or the line as a plain string. */
function decodeLogLine(value: unknown, at: string): Decoded<DecodedRecord<LogLine>> {
  if (typeof value === 'string') return decodeSuccess({ value: { logLine: value }, unknown: {} });
  if (!isRecord(value)) return decodeFailure(at, value, 'a text or an object');
  const fields = createFieldDecoder(value, at);
  const logLine = fields.required(anyText, 'logLine');
  if (!logLine.ok) return logLine;
  const line = {
    id: fields.optional(logId, 'id'),
    deploymentId: fields.optional(nonEmptyText, 'deploymentId'),
    serviceName: fields.optional(nonEmptyText, 'serviceName'),
    timestamp: fields.optional(timestampText, 'timestamp'),
    logLine: logLine.value,
    stream: fields.optional(nonEmptyText, 'stream'),
    instance: fields.optional(instanceNumber, 'instance'),
    partial: fields.optional(flag, 'partial'),
  };
  fields.optional(logType, 'type');
  return decodeSuccess({ value: line, unknown: fields.unknown() });
}

/**
 * Decodes the lines of a "fetch logs" answer, in its order.
 * @param text source text of `json`, for the digits that parsing rounded.
 */
export function decodeLogs(
  json: unknown,
  text: string,
): Decoded<readonly DecodedRecord<LogLine>[]> {
  const list = findList(json, 'logs');
  if (list === undefined) return missingListError(json, 'logs');
  if (!list.value.some(hasRoundedId)) return decodeItems(list, decodeLogLine);
  const exact = findList(parseExact(text), 'logs');
  const value = list.value.map((item, index) => withId(item, exact?.value[index]));
  return decodeItems({ ...list, value }, decodeLogLine);
}

/** Largest shown length of a message type, in characters. */
const typeLimit = 64;

/** Matches what servers send, as text or as a type, to keep an idle connection open. */
const signOfLife = /^\s*(?:ping|pong|heartbeat|keep-?alive)?\s*$/i;

/** Begins the first message of some writers, and belongs to no JSON. */
const byteOrderMark = '\uFEFF';

/** Decodes a frame as a log line when its type is `log` (contract, part 4, "Stream rule"). */
export function decodeFrame(message: string): LogFrame {
  const text = message.startsWith(byteOrderMark) ? message.slice(1) : message;
  let json: unknown;
  try {
    json = JSON.parse(text);
    if (hasRoundedId(json)) json = withId(json, parseExact(text));
  } catch {
    return signOfLife.test(text)
      ? { kind: 'keep-alive', description: 'keep-alive' }
      : { kind: 'unreadable', description: 'not JSON' };
  }
  if (!isRecord(json)) return { kind: 'unreadable', description: 'not an object' };
  const { type } = json;
  if (typeof type !== 'string') {
    return { kind: 'logLine' in json ? 'unreadable' : 'other', description: 'untyped' };
  }
  if (type !== 'log') {
    return signOfLife.test(type)
      ? { kind: 'keep-alive', description: 'keep-alive' }
      : { kind: 'other', description: type.slice(0, typeLimit) };
  }
  const line = decodeLogLine(json, '');
  return line.ok
    ? { kind: 'line', line: line.value.value }
    : { kind: 'unreadable', description: 'log without text' };
}

/** Decodes the frame in `bytes` from `start` to `end`; invalid UTF-8 becomes U+FFFD. */
export function decodeFrameAt(bytes: Uint8Array, start: number, end: number): LogFrame {
  const { buffer, byteOffset } = bytes;
  return decodeFrame(Buffer.from(buffer, byteOffset + start, end - start).toString());
}

const logType: FieldType<'log'> = {
  expected: '"log"',
  decode: (value) => (value === 'log' ? value : undefined),
};

/** Field of hostdeck's own host, only for services with several instances. */
const instanceNumber: FieldType<number> = {
  expected: 'a whole number above 0',
  decode: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined,
};

/** Field of hostdeck's own host, only for a line that was cut. */
const flag: FieldType<boolean> = {
  expected: 'true or false',
  decode: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** Ids are numbers in the contract; above 2^53 many services send them as strings. Others are texts. */
const logId: FieldType<LogId | string> = {
  expected: 'a whole number',
  decode(value) {
    const isNumber = typeof value === 'string' ? /^\d{1,39}$/.test(value) : isWhole(value);
    if (!isNumber) return nonEmptyText.decode(value);
    const id = BigInt(value as string | number | bigint);
    const small = Number(id);
    return Number.isSafeInteger(small) ? small : id;
  },
};

function isWhole(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** Returns true when JSON.parse has rounded the id of this record. */
function hasRoundedId(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const id = value['id'];
  return typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id);
}

/**
 * Parses JSON with exact ids, from the source text that the reviver receives. It is several times
 * slower than plain JSON.parse, so use it only for texts with a rounded id. Returns undefined when
 * the nesting is too deep for a reviver; ids then stay rounded.
 */
function parseExact(text: string): unknown {
  try {
    return JSON.parse(text, reviveId);
  } catch {
    return undefined;
  }
}

function reviveId(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (key !== 'id' || typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const digits = context?.source ?? '';
  return /^-?\d+$/.test(digits) ? BigInt(digits) : value;
}

/** Returns the record with the exact id; all other fields stay plain JSON, without bigints. */
function withId(record: unknown, exact: unknown): unknown {
  return isRecord(record) && isRecord(exact) ? { ...record, id: exact['id'] } : record;
}
