/** Finds lists, records and refusals in the envelopes of answers. */
import {
  joinFieldPath,
  type Decoded,
  decodeSuccess,
  isRecord,
  type JsonRecord,
  decodeFailure,
} from './fields.ts';
import type { ErrorDetail } from '../http/errors.ts';
import type { DecodedItems } from './decoded-items.ts';
import { ItemText } from './long-answer.ts';
import { forEachYielding, type WorkTurn } from './long-list.ts';
import { findErrorMessage } from '../http/error-message.ts';
import { findErrorDetails } from '../http/error-details.ts';

/** Wrapper keys besides the resource's own name. */
const wrappers = ['data', 'result', 'items'];

/** Deepest nesting of envelopes, such as `{data: {items: []}}`. */
const maxDepth = 3;

export interface EnvelopeValue<T> {
  readonly value: T;
  /** Path of the value in the answer. */
  readonly path: string;
}

/**
 * Finds the list in an answer: the bare array, or the array below `noun` or a wrapper. A null below
 * `noun` is an empty list, because Go encodes an empty slice as null.
 */
export function findList(
  json: unknown,
  noun: string,
  at = '',
  depth = 0,
): EnvelopeValue<readonly unknown[]> | undefined {
  if (Array.isArray(json)) return { value: json, path: at };
  if (!isRecord(json) || depth === maxDepth) return undefined;
  if (Object.hasOwn(json, noun) && json[noun] === null)
    return { value: [], path: joinFieldPath(at, noun) };
  for (const key of [noun, ...wrappers]) {
    if (!Object.hasOwn(json, key)) continue;
    const match = findList(json[key], noun, joinFieldPath(at, key), depth + 1);
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Fields with the number of items on the service, in the envelope of a part of them. */
const totalFields = ['total', 'totalCount', 'total_count'];

/** Records beside a list that describe its part. */
const partRecords = ['pagination', 'paging', 'page', 'meta'];

/** Returns the number of items that an answer says the service has; undefined where it says none. */
export function findTotal(json: unknown, noun: string, depth = 0): number | undefined {
  if (!isRecord(json) || depth === maxDepth) return undefined;
  for (const record of [json, ...partRecords.map((key) => json[key])]) {
    if (!isRecord(record)) continue;
    const total = totalFields.map((field) => record[field]).find(Number.isSafeInteger);
    if (typeof total === 'number' && total >= 0) return total;
  }
  for (const key of [noun, ...wrappers]) {
    const total = findTotal(json[key], noun, depth + 1);
    if (total !== undefined) return total;
  }
  return undefined;
}

/**
 * Decodes each item of the list in an answer and yields to the event loop during a long list. The
 * first item that cannot be decoded is the result's error.
 */
export async function decodeLongList<T>(
  json: unknown,
  noun: string,
  decodeItem: (item: unknown, at: string) => Decoded<T>,
  before?: DecodedItems<T>,
  turn?: WorkTurn,
): Promise<Decoded<readonly T[]>> {
  const list = findList(json, noun);
  return list === undefined
    ? missingListError(json, noun)
    : decodeLongItems(list, decodeItem, before, turn);
}

/**
 * Decodes the items of a list like {@link decodeLongList}.
 * @param before items of earlier answers, whose values are returned where their texts are the same.
 */
export async function decodeLongItems<T>(
  list: EnvelopeValue<readonly unknown[]>,
  decodeItem: (item: unknown, at: string) => Decoded<T>,
  before?: DecodedItems<T>,
  turn?: WorkTurn,
): Promise<Decoded<readonly T[]>> {
  const values: T[] = [];
  const valueOf = before?.valuesAt(list.path);
  let failure: Decoded<never> | undefined;
  const take = (item: unknown, index: number): boolean => {
    const known = item instanceof ItemText ? valueOf?.(item, index) : undefined;
    const result =
      known === undefined
        ? decodeParsed(item, joinFieldPath(list.path, index), decodeItem)
        : decodeSuccess(known);
    if (result.ok) values.push(result.value);
    else failure = result;
    return result.ok;
  };
  await forEachYielding(list.value, take, turn);
  if (failure !== undefined) return failure;
  before?.keep(list.path, list.value, values);
  return decodeSuccess(values);
}

function decodeParsed<T>(
  item: unknown,
  at: string,
  decodeItem: (item: unknown, at: string) => Decoded<T>,
): Decoded<T> {
  if (!(item instanceof ItemText)) return decodeItem(item, at);
  const json = item.parse();
  return json === undefined
    ? { ok: false, field: at, problem: 'is not JSON' }
    : decodeItem(json.value, at);
}

/** Decodes the items of a list without yielding to the event loop. */
export function decodeItems<T>(
  list: EnvelopeValue<readonly unknown[]>,
  decodeItem: (item: unknown, at: string) => Decoded<T>,
): Decoded<readonly T[]> {
  const values: T[] = [];
  for (const [index, item] of list.value.entries()) {
    const result = decodeItem(item, joinFieldPath(list.path, index));
    if (!result.ok) return result;
    values.push(result.value);
  }
  return decodeSuccess(values);
}

/** Returns the error of an answer without a list of `noun`. */
export function missingListError(json: unknown, noun: string): Decoded<never> {
  if (!isRecord(json)) return { ok: false, field: '', problem: 'contains no list' };
  return decodeFailure(noun, Object.hasOwn(json, noun) ? json[noun] : undefined, 'a list');
}

/**
 * Finds the record of one resource in an answer: below its singular name, bare (with an id), or
 * either of these below a wrapper. Without an id anywhere, returns the answer itself, so that the
 * decoder's error names the missing field.
 */
function findRecord(json: JsonRecord, noun: string): EnvelopeValue<JsonRecord> {
  return searchRecord(json, noun, '', 0) ?? { value: json, path: '' };
}

function searchRecord(
  json: JsonRecord,
  noun: string,
  at: string,
  depth: number,
): EnvelopeValue<JsonRecord> | undefined {
  const named = json[noun];
  if (isRecord(named)) return { value: named, path: joinFieldPath(at, noun) };
  if (typeof json['id'] === 'string') return { value: withoutSuccess(json, at), path: at };
  if (depth === maxDepth) return undefined;
  for (const key of wrappers) {
    const nested = json[key];
    const match = isRecord(nested)
      ? searchRecord(nested, noun, joinFieldPath(at, key), depth + 1)
      : undefined;
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Removes the envelope's `success` from a bare resource. */
function withoutSuccess(json: JsonRecord, at: string): JsonRecord {
  if (at !== '' || typeof json['success'] !== 'boolean') return json;
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== 'success'));
}

/** Decodes the record of one resource in an answer; `noun` is its singular name. */
export function decodeResource<T>(
  json: unknown,
  noun: string,
  decodeItem: (item: unknown, at: string) => Decoded<T>,
): Decoded<T> {
  if (!isRecord(json)) return { ok: false, field: '', problem: 'is not an object' };
  const { value, path } = findRecord(json, noun);
  return decodeItem(value, path);
}

/** The errors in an answer with `success: false` and a 2xx status. */
export interface AnswerRefusal {
  readonly errorMessage: string | undefined;
  readonly errorDetails?: readonly ErrorDetail[];
}

/** Returns the refusal in an answer; undefined unless `success` is false. */
export function findRefusal(json: unknown): AnswerRefusal | undefined {
  return isRecord(json) && json['success'] === false
    ? { errorMessage: findErrorMessage(json), errorDetails: findErrorDetails(json) }
    : undefined;
}
