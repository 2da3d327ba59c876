import type { LogLine } from '../../../contract/logs.ts';
import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';
import { gapSentence } from '../../../tail/arena/gap.ts';
import { type Clock, turnOf } from '../../time/clock.ts';
import type { FileWriter } from '../../transfers/local-files.ts';
import { formatJsonLine, formatTextLine } from '../format.ts';
import { type LogRange, type ShownLines, sliceLog, type SliceResult } from './slices.ts';
import { throttleReports } from '../../transfers/progress.ts';

/** Format of an exported log; `json` is one message of the contract per line. */
export type ExportFormat = 'text' | 'json';

export interface LogExportOptions {
  readonly shown: ShownLines;
  readonly range: LogRange;
  readonly format: ExportFormat;
  readonly deploymentId: string;
  readonly clock: Clock;
  readonly file: FileWriter;
  readonly onProgress: (progress: ExportProgress) => void;
  /** Cancels the export; the file is dropped then. */
  readonly signal: AbortSignal;
}

/** Progress of an export. */
export interface ExportProgress {
  readonly lines: number;
  readonly linesDone: number;
}

/** Result of an export. */
export interface ExportResult {
  readonly lines: number;
  readonly bytes: number;
  /** Number of gaps in the exported range. */
  readonly gaps: number;
  readonly firstGap: GapEntry<LogLine> | undefined;
  /** True when memory dropped the last lines of the range before they were read. */
  readonly lostAtEnd: boolean;
}

export type ExportOutcome =
  | { readonly kind: 'saved'; readonly exported: ExportResult }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'moved' }
  | { readonly kind: 'unwritable'; readonly reason: string };

/** Returns the export format for a file name. */
export function exportFormat(name: string): ExportFormat {
  return /\.(jsonl|ndjson|json)$/i.test(name) ? 'json' : 'text';
}

/**
 * Exports a range of a log to a local file, in slices between which key presses are handled. The
 * file is replaced only when the export is complete.
 */
export async function exportLog(options: LogExportOptions): Promise<ExportOutcome> {
  const { file } = options;
  const outcome = await writeAll(options);
  if (outcome.kind !== 'saved') await file.discard();
  return outcome;
}

async function writeAll(options: LogExportOptions): Promise<ExportOutcome> {
  const { shown, range, format, deploymentId, clock, file, signal } = options;
  const slices = sliceLog(shown, range, () => clock.now());
  const report = throttleReports(clock, options.onProgress);
  const counts = { lines: 0, bytes: 0, gaps: 0 };
  let firstGap: GapEntry<LogLine> | undefined;
  for (let end: SliceResult = 'more'; end === 'more'; ) {
    if (signal.aborted) return { kind: 'cancelled' };
    let text = '';
    end = slices.next((entry) => {
      text += format === 'json' ? jsonText(entry, deploymentId) : entryText(entry);
      if (entry.kind === 'line') counts.lines += 1;
      else {
        counts.gaps += 1;
        firstGap ??= entry;
      }
    });
    if (end === 'moved') return { kind: 'moved' };
    const written = await file.write(text);
    if (!written.ok) return { kind: 'unwritable', reason: written.reason };
    counts.bytes += written.bytes;
    report(() => ({ lines: slices.lines, linesDone: counts.lines }));
    if (end === 'more') await turnOf(clock);
  }
  if (signal.aborted) return { kind: 'cancelled' };
  const lostAtEnd = slices.lostAtEnd();
  if (lostAtEnd && format === 'text') {
    const written = await file.write(`${lostEndText}\n`);
    if (!written.ok) return { kind: 'unwritable', reason: written.reason };
    counts.bytes += written.bytes;
  }
  const finished = await file.finish();
  if (!finished.ok) return { kind: 'unwritable', reason: finished.reason };
  return { kind: 'saved', exported: { ...counts, firstGap, lostAtEnd } };
}

/** Formats an entry as a line of text with time and service; a gap as a line that names it. */
function entryText(entry: Entry<LogLine>): string {
  return entry.kind === 'line' ? formatTextLine(entry.line) : `${gapLineText(entry)}\n`;
}

/** Last line of a text whose end was dropped from memory. */
const lostEndText = '-- gap: the lines from here on had left memory --';

/** Formats a gap as a line of text, without a line break. */
function gapLineText(gap: GapEntry<LogLine>): string {
  return `-- ${gapSentence(gap)} --`;
}

function jsonText(entry: Entry<LogLine>, deploymentId: string): string {
  return entry.kind === 'line' ? formatJsonLine(entry.line, deploymentId) : '';
}

/** Form of the lines: `text` alone, or `whole` with time and service. */
export type RangeTextForm = 'text' | 'whole';

export type RangeText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-long' }
  /** No line of the range is in memory any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'moved' };

/**
 * Returns the lines of a range as one text without a final line break, each as the service wrote
 * it; a gap becomes a line that names it.
 * @param most characters; a longer text of several lines is `too-long`.
 */
export async function rangeText(
  lines: ShownLines,
  range: LogRange,
  form: RangeTextForm,
  { clock, most }: { readonly clock: Clock; readonly most: number },
): Promise<RangeText> {
  const slices = sliceLog(lines, range, () => clock.now());
  const parts: string[] = [];
  let length = 0;
  for (let end: SliceResult = 'more'; end === 'more'; ) {
    end = slices.next((entry) => {
      const text = form === 'whole' ? entryText(entry).slice(0, -1) : plainText(entry);
      length += text.length + 1;
      if (length <= most || parts.length === 0) parts.push(text);
    });
    if (end === 'moved') return { kind: 'moved' };
    if (length > most && parts.length > 1) return { kind: 'too-long' };
    if (end === 'more') await turnOf(clock);
  }
  if (parts.length === 0) return { kind: 'gone' };
  if (slices.lostAtEnd()) parts.push(lostEndText);
  return { kind: 'text', text: parts.join('\n') };
}

function plainText(entry: Entry<LogLine>): string {
  return entry.kind === 'line' ? entry.line.logLine : gapLineText(entry);
}
