import { nanoseconds, parseInstant } from '../../contract/instant.ts';
import type { LogId, LogLine } from '../../contract/logs.ts';
import type { Place } from './place.ts';

/**
 * The parts of a line that the merge needs to order and recognize it. The line itself is passed
 * through unread, so it may be a record or a reference into a buffer.
 */
export interface LogRow<Line> {
  readonly id: LogId | undefined;
  /** An id that is no number: it tells copies, but no order. */
  readonly textId?: string | undefined;
  readonly text: string;
  readonly service: string | undefined;
  /** The timestamp as the service wrote it. */
  readonly timestamp: string | undefined;
  readonly line: Line;
  /** The message as received, when available; valid for one step of the merge. */
  readonly message?: Uint8Array | undefined;
}

/** A row and its place in the log. */
export interface PlacedRow<Line> {
  readonly place: Place;
  readonly row: LogRow<Line>;
}

export function rowsOf<Line>(placed: readonly PlacedRow<Line>[]): readonly LogRow<Line>[] {
  return placed.map(({ row }) => row);
}

/** Returns the row of a decoded line. */
export function toRow(line: LogLine): LogRow<LogLine> {
  const isText = typeof line.id === 'string';
  return {
    id: isText ? undefined : line.id,
    textId: isText ? line.id : undefined,
    text: line.logLine,
    service: line.serviceName,
    timestamp: line.timestamp,
    line,
  };
}

/** Returns a text that is the same for rows with the same fields. */
export function rowKey({ id, textId, service, timestamp, text }: LogRow<unknown>): string {
  return [id ?? textId, service, timestamp, text].join('\n');
}

/** The time that many programs write at the start of their lines. */
const leadingTime = /^\[?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:[.,]\d+)?)(Z|[+-]\d\d:?\d\d)?/;

/** Returns the time at the start of a text, in ISO 8601; undefined without one. */
function leadingTimeOf(text: string): string | undefined {
  const match = leadingTime.exec(text);
  return match === null
    ? undefined
    : `${match[1]}T${match[2]?.replace(',', '.')}${match[3] ?? 'Z'}`;
}

/** Returns a row's timestamp, or else the time at the start of its text, in ms since the epoch. */
export function rowTime({ timestamp, text }: LogRow<unknown>): number | undefined {
  return parseInstant(timestamp ?? leadingTimeOf(text));
}

/** Returns the time of a row in ns since the epoch, as far as it is written. */
export function rowNanoseconds({ timestamp, text }: LogRow<unknown>): bigint | undefined {
  const written = timestamp ?? leadingTimeOf(text);
  const time = parseInstant(written);
  return time === undefined ? undefined : nanoseconds(time, written);
}
