import type { LogLine } from '../../contract/logs.ts';
import type { FollowedLog } from '../../store/log/feed/followed-log.ts';
import type { LogReadResult } from '../../store/log/feed/reader.ts';
import type { LineMessage } from '../../tail/arena/entries.ts';
import { isUnread } from '../../tail/log/time-walk.ts';
import { isContractMessage } from './contract-message.ts';
import { type LineSelector, timeOf } from './line-selector.ts';
import type { LineFormat } from './line-format.ts';
import { gapNote, type HistoryNotes, type Say } from './log-notes.ts';

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
      sink.text(format.format(line), copy === undefined ? timeOf(line) : undefined);
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
      lastTime = lines.reduce<number | undefined>((time, line) => timeOf(line) ?? time, lastTime);
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
