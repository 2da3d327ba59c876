import { below, type Decoded, decoded, isRecord, type JsonRecord, misread } from './fields.ts';
import type { ErrorDetail } from '../http/errors.ts';
import { eachInTurns } from './long-list.ts';
import { messageOf } from '../http/error-message.ts';
import { detailsOf } from '../http/error-details.ts';

/** Generic wrappers, besides the resource's own name (open points, "Envelope of a list"). */
const wrappers = ['data', 'result', 'items'];

/** Envelopes nest (`{data: {items: []}}`); deeper than this nobody goes. */
const deepest = 3;

export interface EnvelopeValue<T> {
  readonly value: T;
  /** Where in the answer it stands. */
  readonly at: string;
}

/**
 * The list in an answer: the bare array, or the one below `noun` or a wrapper. A null where the
 * list belongs is an empty list: that is how Go writes an empty slice.
 */
export function findList(
  json: unknown,
  noun: string,
  at = '',
  depth = 0,
): EnvelopeValue<readonly unknown[]> | undefined {
  if (Array.isArray(json)) return { value: json, at };
  if (!isRecord(json) || depth === deepest) return undefined;
  if (Object.hasOwn(json, noun) && json[noun] === null) return { value: [], at: below(at, noun) };
  for (const key of [noun, ...wrappers]) {
    if (!Object.hasOwn(json, key)) continue;
    const found = findList(json[key], noun, below(at, key), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Reads each item of the list in an answer, with turns of the event loop between where it is long.
 * The first that cannot be read is the answer's error.
 */
export async function decodeLongList<T>(
  json: unknown,
  noun: string,
  decodeItem: (item: unknown, at: string) => Decoded<T>,
): Promise<Decoded<readonly T[]>> {
  const list = findList(json, noun);
  return list === undefined ? noList(json, noun) : decodeLongItems(list, decodeItem);
}

/** The items of a long list, read like {@link decodeLongList}. */
export async function decodeLongItems<T>(
  list: EnvelopeValue<readonly unknown[]>,
  decodeItem: (item: unknown, at: string) => Decoded<T>,
): Promise<Decoded<readonly T[]>> {
  const values: T[] = [];
  let wrong: Decoded<never> | undefined;
  await eachInTurns(list.value, (item, index) => {
    const one = decodeItem(item, below(list.at, index));
    if (one.ok) values.push(one.value);
    else wrong = one;
    return one.ok;
  });
  return wrong ?? decoded(values);
}

export function decodeItems<T>(
  list: EnvelopeValue<readonly unknown[]>,
  decodeItem: (item: unknown, at: string) => Decoded<T>,
): Decoded<readonly T[]> {
  const values: T[] = [];
  for (const [index, item] of list.value.entries()) {
    const one = decodeItem(item, below(list.at, index));
    if (!one.ok) return one;
    values.push(one.value);
  }
  return decoded(values);
}

export function noList(json: unknown, noun: string): Decoded<never> {
  if (!isRecord(json)) return { ok: false, field: '', problem: 'holds no list' };
  return misread(noun, Object.hasOwn(json, noun) ? json[noun] : undefined, 'a list');
}

/**
 * The record of one resource in an answer: below its singular name, bare (it has an id then), or
 * either of these below a wrapper. What has no id anywhere is handed back as it came, so that the
 * error names the field that is missing.
 */
function findRecord(json: JsonRecord, noun: string): EnvelopeValue<JsonRecord> {
  return searchRecord(json, noun, '', 0) ?? { value: json, at: '' };
}

function searchRecord(
  json: JsonRecord,
  noun: string,
  at: string,
  depth: number,
): EnvelopeValue<JsonRecord> | undefined {
  const own = json[noun];
  if (isRecord(own)) return { value: own, at: below(at, noun) };
  if (typeof json['id'] === 'string') return { value: withoutSuccess(json, at), at };
  if (depth === deepest) return undefined;
  for (const key of wrappers) {
    const inner = json[key];
    const found = isRecord(inner)
      ? searchRecord(inner, noun, below(at, key), depth + 1)
      : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A bare resource may carry the envelope's `success` beside its own fields. */
function withoutSuccess(json: JsonRecord, at: string): JsonRecord {
  if (at !== '' || typeof json['success'] !== 'boolean') return json;
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== 'success'));
}

export function decodeOne<T>(
  json: unknown,
  noun: string,
  decodeItem: (item: unknown, at: string) => Decoded<T>,
): Decoded<T> {
  if (!isRecord(json)) return { ok: false, field: '', problem: 'is no object' };
  const { value, at } = findRecord(json, noun);
  return decodeItem(value, at);
}

/** An answer that says it failed although its status says otherwise (`success: false` with 200). */
export interface AnswerRefusal {
  readonly said: string | undefined;
  readonly details?: readonly ErrorDetail[];
}

export function refusalIn(json: unknown): AnswerRefusal | undefined {
  return isRecord(json) && json['success'] === false
    ? { said: messageOf(json), details: detailsOf(json) }
    : undefined;
}
