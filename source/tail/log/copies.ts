/** Rule 2: tells whether two records with one id are copies of one line. */
import { nanoseconds, parseInstant } from '../../contract/instant.ts';
import type { LogRow } from '../arena/row.ts';

/**
 * `unsure`: the records differ in a field in which no two copies of this log have agreed so far, for
 * example because HTTP and the stream write times in two ways.
 */
export type Likeness = 'same' | 'other' | 'unsure';

/** Characters that a service puts where it has cut a text. */
const cutMark = /(?:\u2026|\.\.\.)$/;

/** The shortest beginning of a text that tells it. */
const shortestCut = 8;

/** Returns whether texts are equal, or one is the beginning of the other. */
function isSameText(left: string, right: string): boolean {
  if (left === right) return true;
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  if (short.length < shortestCut) return false;
  return long.startsWith(short) || long.startsWith(short.replace(cutMark, ''));
}

/** Returns whether two timestamps tell one time, at the coarser precision of the two. */
function isSameTime(left: string, right: string): boolean {
  if (left === right) return true;
  const [first, second] = [parseInstant(left), parseInstant(right)];
  if (first === undefined || second === undefined) return false;
  const unit = 10n ** BigInt(9 - Math.min(9, digitsOf(left), digitsOf(right)));
  return nanoseconds(first, left) / unit === nanoseconds(second, right) / unit;
}

function digitsOf(timestamp: string): number {
  const point = timestamp.indexOf('.');
  if (point < 0) return 0;
  let end = point + 1;
  while (/\d/.test(timestamp[end] ?? '')) end += 1;
  return end - point - 1;
}

/** Compares records, and learns in which fields the copies of a log agree. */
export class Copies {
  #timesAgree = false;
  #servicesAgree = false;

  compare(held: LogRow<unknown>, row: LogRow<unknown>): Likeness {
    const isText = isSameText(held.text, row.text);
    const time = both(held.timestamp, row.timestamp, isSameTime);
    const service = both(held.service, row.service, (left, right) => left === right);
    if (isText && time !== false && service !== false) {
      this.#timesAgree ||= time === true;
      this.#servicesAgree ||= service === true;
      return 'same';
    }
    // HTTP and the stream may show a text in two forms.
    if (!isText) return time === true && service !== false ? 'unsure' : 'other';
    const isTold = time === false ? this.#timesAgree : this.#servicesAgree;
    return isTold ? 'other' : 'unsure';
  }

  /** Returns whether records are one line for certain: the same, with times below a second. */
  isCertainCopy(held: LogRow<unknown> | undefined, row: LogRow<unknown>): boolean {
    if (!isPrecise(held?.timestamp) || !isPrecise(row.timestamp)) return false;
    return held !== undefined && this.compare(held, row) === 'same';
  }
}

/** Times below a second tell lines from each other. */
const preciseTime = /[.,]\d{3}/;

export function isPrecise(timestamp: string | undefined): boolean {
  return timestamp !== undefined && preciseTime.test(timestamp);
}

/** Returns whether two records of one page or connection are the same in all that they show. */
export function isRepeated(left: LogRow<unknown>, right: LogRow<unknown>): boolean {
  return (
    left.text === right.text && left.timestamp === right.timestamp && left.service === right.service
  );
}

/** Rule 7: returns whether records without usable ids agree in all fields that both show. */
export function isAgreeing(left: LogRow<unknown>, right: LogRow<unknown>): boolean {
  return (
    (left.id === undefined || right.id === undefined || left.id === right.id) &&
    both(left.textId, right.textId, (first, second) => first === second) !== false &&
    both(left.service, right.service, (first, second) => first === second) !== false &&
    isSameText(left.text, right.text) &&
    both(left.timestamp, right.timestamp, isSameTime) !== false
  );
}

/** Compares a field that both records have; undefined when one lacks it. */
function both(
  left: string | undefined,
  right: string | undefined,
  compare: (left: string, right: string) => boolean,
): boolean | undefined {
  return left === undefined || right === undefined ? undefined : compare(left, right);
}
