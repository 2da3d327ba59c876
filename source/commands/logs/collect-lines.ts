import type { LogLine } from '../../contract/logs.ts';
import type { Logs } from '../../store/log/feed/log-source.ts';
import type { LogReadResult } from '../../store/log/feed/reader.ts';
import type { LineMessage } from '../../tail/arena/entries.ts';
import { isContractMessage } from './contract-message.ts';
import { type LineSelector, timeOf } from './line-selector.ts';
import type { LineFormat } from './line-format.ts';
import type { LinesBatch } from './lines-batch.ts';
import type { WholeLines } from './lines-writer.ts';
import { gapNote, type HistoryNotes, type Say } from './log-notes.ts';

export interface CollectOptions {
  readonly format: LineFormat;
  /** Whether to write lines of history that come after live lines waited for them in vain. */
  readonly backfill?: boolean | undefined;
  readonly selector: LineSelector;
  readonly logs: Pick<Logs, 'decode'>;
  /** Reused for every write, because new buffers would cost more time in garbage collection. */
  readonly batch: LinesBatch;
  readonly note: Say;
  readonly history: HistoryNotes;
}

/** Collects the selected lines of readings. */
export interface LineCollector {
  /**
   * Returns the lines of a reading for one write: first what continues the output, then what belongs
   * before it. Says on stderr what is missing. Undefined when a pattern takes too long.
   */
  collect(reading: LogReadResult): WholeLines | undefined;
  /** Returns whether no line has told its stream so far. */
  lacksStreams(): boolean;
}

export function createLineCollector(options: CollectOptions): LineCollector {
  const { selector, format, batch, history, note, logs } = options;
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
      if (passed[index] === true) batch.text(format.format(line));
    }
    return true;
  };

  const addMessages = (messages: readonly LineMessage[]): boolean => {
    if (!selector.hasCriteria) {
      for (const message of messages) addMessage(message, options);
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
      batch.clear();
      for (const gap of passed) history.passed(gap);
      const messages: LineMessage[] = [];
      for (const entry of entries) {
        if (entry.kind === 'gap') note(gapNote(entry));
        else messages.push(entry);
      }
      if (!addMessages(messages)) return undefined;
      // A late line is written out of order rather than left out.
      if (lateLines.length > 0)
        note('The next lines arrived late; they belong before the last ones.');
      if (!addLines(lateLines)) return undefined;
      if (options.backfill !== true) history.left(backfill.length);
      else if (backfill.length > 0) {
        note('The next lines are earlier ones that came later.');
        if (!addLines(backfill)) return undefined;
      }
      return batch.lines();
    },
    lacksStreams: () => hasLines && !hasStreams,
  };
}

function addMessage(message: LineMessage, options: CollectOptions): void {
  const { batch, format } = options;
  const { bytes, start, end } = message;
  if (format.copiesMessages && isContractMessage(bytes, start, end)) batch.copy(bytes, start, end);
  else batch.text(format.format(options.logs.decode(message)));
}
