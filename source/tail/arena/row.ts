import type { LogId, LogLine } from '../../contract/logs.ts';
import type { Place } from './place.ts';

/**
 * What the merge knows of a line: enough to order it and to know it again. The line itself is only
 * handed through, so it may be a record or a reference into a buffer.
 */
export interface LogRow<Line> {
  readonly id: LogId | undefined;
  readonly text: string;
  readonly service: string | undefined;
  /** As the service wrote it. */
  readonly timestamp: string | undefined;
  readonly line: Line;
  /** As it came, when that is at hand; good for one step of the merge. */
  readonly message?: Uint8Array | undefined;
}

/** A row with its place in the log. */
export interface Placed<Line> {
  readonly place: Place;
  readonly row: LogRow<Line>;
}

export function rowOf(line: LogLine): LogRow<LogLine> {
  return {
    id: line.id,
    text: line.logLine,
    service: line.serviceName,
    timestamp: line.timestamp,
    line,
  };
}

/**
 * True when both may be the same line of the log. Only what both of them carry is compared: a
 * service may send whole records over its stream and bare text over HTTP.
 */
export function sameLine(left: LogRow<unknown>, right: LogRow<unknown>): boolean {
  if (left.id !== undefined && right.id !== undefined) return left.id === right.id;
  return (
    left.text === right.text &&
    agree(left.service, right.service) &&
    sameTime(left.timestamp, right.timestamp)
  );
}

function agree(left: string | undefined, right: string | undefined): boolean {
  return left === undefined || right === undefined || left === right;
}

const fraction = /:\d\d[.,]\d/;

/** The same instant may be written with another precision or offset over HTTP than on the stream. */
function sameTime(left: string | undefined, right: string | undefined): boolean {
  if (agree(left, right)) return true;
  const first = Date.parse(left ?? '');
  const second = Date.parse(right ?? '');
  if (Number.isNaN(first) || Number.isNaN(second)) return false;
  if (fraction.test(left ?? '') && fraction.test(right ?? '')) return first === second;
  return Math.floor(first / 1000) === Math.floor(second / 1000);
}

/** A time that many programs put in front of their lines themselves. */
const leadingTime = /^\[?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:[.,]\d+)?)(Z|[+-]\d\d:?\d\d)?/;

/** Milliseconds since the epoch that the row shows: its timestamp, else one its text begins with. */
export function rowTime(row: LogRow<unknown>): number | undefined {
  if (row.timestamp !== undefined) return parseTime(row.timestamp);
  const found = leadingTime.exec(row.text);
  return found === null
    ? undefined
    : parseTime(`${found[1]}T${found[2]?.replace(',', '.')}${found[3] ?? 'Z'}`);
}

function parseTime(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
