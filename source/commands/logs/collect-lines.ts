import type { LogLine } from '../../contract/logs.ts';
import { formatJsonLine, formatTextLine } from '../../store/log/format.ts';
import type { Logs } from '../../store/log/feed/log-source.ts';
import type { LogReadResult } from '../../store/log/feed/reader.ts';
import type { LineMessage } from '../../tail/arena/entries.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { isContractMessage } from './contract-message.ts';
import type { LinesBatch } from './lines-batch.ts';
import type { WholeLines } from './lines-writer.ts';
import { gapNote, type HistoryNotes, type Say } from './log-notes.ts';

export interface CollectOptions {
  /** Id of the deployment, for JSON lines that lack it. */
  readonly id: string;
  /** Whether to write one message of the contract a line, instead of text. */
  readonly json: boolean;
  /** Whether to make escape sequences visible. */
  readonly isVisible?: boolean | undefined;
  /** Whether to write lines of history that come after live lines waited for them in vain. */
  readonly backfill?: boolean | undefined;
  readonly logs: Pick<Logs, 'decode'>;
  /** Reused for every write, because new buffers would cost more time in garbage collection. */
  readonly batch: LinesBatch;
  readonly note: Say;
  readonly history: HistoryNotes;
}

/**
 * Returns the lines of a reading for one write: first what continues the output, then what belongs
 * before it. Says on stderr what is missing.
 */
export function collectLines(reading: LogReadResult, options: CollectOptions): WholeLines {
  const { entries, lateLines, backfill, passed } = reading;
  const { batch, history } = options;
  batch.clear();
  for (const gap of passed) history.passed(gap);
  for (const entry of entries) {
    if (entry.kind === 'gap') options.note(gapNote(entry));
    else addMessage(entry, options);
  }
  // A late line is written out of order rather than left out.
  if (lateLines.length > 0)
    options.note('The next lines arrived late; they belong before the last ones.');
  for (const line of lateLines) batch.text(formatted(line, options));
  if (options.backfill !== true) history.left(backfill.length);
  else if (backfill.length > 0) {
    options.note('The next lines are earlier ones that came later.');
    for (const line of backfill) batch.text(formatted(line, options));
  }
  return batch.lines();
}

function addMessage(message: LineMessage, options: CollectOptions): void {
  const { batch, json, isVisible = false } = options;
  const { bytes, start, end } = message;
  if (json && !isVisible && isContractMessage(bytes, start, end)) batch.copy(bytes, start, end);
  else batch.text(formatted(options.logs.decode(message), options));
}

function formatted(line: LogLine, { json, id, isVisible = false }: CollectOptions): string {
  const text = json ? formatJsonLine(line, id) : formatTextLine(line);
  return isVisible ? `${sanitize(text.slice(0, -1), { tab: 'keep' })}\n` : text;
}
