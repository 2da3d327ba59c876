import type { LogLine } from '../../contract/logs.ts';
import type { FollowedLog } from '../../store/log/feed/followed-log.ts';
import type { LogReadResult } from '../../store/log/feed/reader.ts';
import type { LineMessage } from '../../tail/arena/entries.ts';
import { isUnread } from '../../tail/log/time-walk.ts';
import { type LineSelector, writtenTime } from './line-selector.ts';
import type { LineFormat } from './line-format.ts';
import { gapNote, type HistoryNotes, type Say } from './log-notes.ts';
import { isUtf8 } from 'node:buffer';

/** Takes the lines that are written. */
export interface LineSink {
  /** Appends a line that has its line break. @param time its time, ms since the epoch. */
  text(line: string, time?: number): void;
  /** Appends a copy of a message, and a line break. Undefined where every line is formatted. */
  copy?(bytes: Uint8Array, start: number, end: number): void;
}

export interface CollectOptions {
  readonly format: LineFormat;
  /** Whether to write lines of history that come after live lines waited for them in vain. */
  readonly backfill?: boolean | undefined;
  readonly selector: LineSelector;
  readonly logs: Pick<FollowedLog, 'decode'>;
  readonly sink: LineSink;
  readonly note: Say;
  readonly history: HistoryNotes;
}

/** Collects the selected lines of readings. */
export interface LineCollector {
  /**
   * Passes on the lines of a reading: first what continues the output, then what belongs before it.
   * Notes what is missing. Returns false when a pattern takes too long.
   */
  collect(reading: LogReadResult): boolean;
  /** Returns whether no line has told its stream so far. */
  lacksStreams(): boolean;
}

export function createLineCollector(options: CollectOptions): LineCollector {
  const { selector, format, sink, history, note, logs } = options;
  const copy = sink.copy?.bind(sink);
  /** Time of the last line that has one. */
  let lastTime: number | undefined;
  let hasLines = false;
  let hasStreams = false;

  const addLines = (lines: readonly LogLine[]): boolean => {
    hasLines ||= lines.length > 0;
    hasStreams ||= lines.some(({ stream }) => stream !== undefined);
    const passed = selector.select(lines, lastTime);
    if (passed === undefined) return false;
    for (const [index, line] of lines.entries()) {
      if (passed[index] !== true) continue;
      sink.text(format.format(line), copy === undefined ? writtenTime(line) : undefined);
    }
    return true;
  };

  const addMessages = (messages: readonly LineMessage[]): boolean => {
    if (!selector.hasCriteria && copy !== undefined) {
      for (const message of messages) {
        const { bytes, start, end } = message;
        if (format.copiesMessages && isContractMessage(bytes, start, end)) copy(bytes, start, end);
        else sink.text(format.format(logs.decode(message)));
      }
      return true;
    }
    const lines = messages.map((message) => logs.decode(message));
    const isAdded = addLines(lines);
    if (selector.needsTimes) {
      lastTime = lines.reduce<number | undefined>(
        (time, line) => writtenTime(line) ?? time,
        lastTime,
      );
    }
    return isAdded;
  };

  return {
    collect({ entries, lateLines, backfill, passed }) {
      for (const gap of passed) history.passed(gap);
      const messages: LineMessage[] = [];
      for (const entry of entries) {
        // Lines behind the wanted times are not read.
        if (entry.kind === 'gap') {
          if (!isUnread(entry)) note(gapNote(entry));
        } else messages.push(entry);
      }
      if (!addMessages(messages)) return false;
      // A late line is written out of order rather than left out.
      if (lateLines.length > 0)
        note('The next lines arrived late; they belong before the last ones.');
      if (!addLines(lateLines)) return false;
      if (options.backfill !== true) history.left(backfill.length);
      else if (backfill.length > 0) {
        note('The next lines are earlier ones that came later.');
        if (!addLines(backfill)) return false;
      }
      return true;
    },
    lacksStreams: () => hasLines && !hasStreams,
  };
}

/**
 * Returns true for a message of the stream whose bytes equal the output of `formatJsonLine` for its line: the
 * contract's fields in the contract's order (part 2), perhaps an instance number, and no other
 * formatting. Such a message is copied to the output without being parsed.
 */
export function isContractMessage(bytes: Uint8Array, start: number, end: number): boolean {
  let at = skip(bytes, start, beforeId);
  if (at < 0) return false;
  const digits = at;
  while (isDigit(bytes[at])) at += 1;
  const isNumber = at > digits && at - digits <= mostDigits;
  if (!isNumber || (bytes[digits] === zero && at > digits + 1)) return false;
  let isAscii = true;
  for (const key of keys) {
    const text = skip(bytes, at, key);
    if (text < 0) return false;
    at = text;
    for (;;) {
      const byte = bytes[at] ?? 0;
      if (byte === quote || at >= end) break;
      if (byte < space) return false;
      if (byte === backslash) {
        if (escaped[bytes[at + 1] ?? 0] !== 1) return false;
        at += 1;
      } else if (byte > del) isAscii = false;
      at += 1;
    }
    // `formatJsonLine` leaves out empty fields, except for the text.
    if (at === text && key !== beforeText) return false;
  }
  if (bytes[at] !== quote || !isLast(bytes, at + 1, end)) return false;
  return isAscii || isUtf8(bytes.subarray(start, end));
}

/** Returns whether the message ends at `from`, or after an instance number. */
function isLast(bytes: Uint8Array, from: number, end: number): boolean {
  const digits = skip(bytes, from, beforeInstance);
  let at = Math.max(from, digits);
  if (digits > 0) {
    while (isDigit(bytes[at])) at += 1;
    const isNumber = at > digits && at - digits <= exactDigits && bytes[digits] !== zero;
    if (!isNumber) return false;
  }
  return at + 1 === end && bytes[at] === brace;
}

/** Returns the offset behind a literal; -1 where the bytes differ from it. */
function skip(bytes: Uint8Array, at: number, literal: Uint8Array): number {
  const { length } = literal;
  for (let index = 0; index < length; index += 1) {
    if (bytes[at + index] !== literal[index]) return -1;
  }
  return at + length;
}

function isDigit(byte = 0): boolean {
  return byte >= zero && byte <= zero + 9;
}

const beforeId = Buffer.from('{"type":"log","id":');
const beforeText = Buffer.from('","logLine":"');
const keys = [
  Buffer.from(',"deploymentId":"'),
  Buffer.from('","serviceName":"'),
  Buffer.from('","timestamp":"'),
  beforeText,
  Buffer.from('","stream":"'),
];

const beforeInstance = Buffer.from(',"instance":');

const mostDigits = 39;
/** Digits that a number always holds exactly. */
const exactDigits = 15;
const zero = 0x30;
const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const brace = 0x7d;
const del = 0x7f;

/** Characters that JSON.stringify escapes with a backslash and one letter. */
const escaped = new Uint8Array(256);
for (const letter of Buffer.from(String.raw`"\bfnrt`)) escaped[letter] = 1;
