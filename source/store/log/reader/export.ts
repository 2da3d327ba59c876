import type { LogLine } from '../../../contract/logs.ts';
import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';
import { gapSentence } from '../../../tail/arena/gap.ts';
import { type Clock, turnOf } from '../../time/clock.ts';
import type { WritingFile } from '../../transfers/local-files.ts';
import { jsonLine, textLine } from '../format.ts';
import type { PinnedEntries } from './pinned.ts';
import { type LogRange, type SliceEnd, sliceLog } from './slices.ts';
import { pacedReport } from '../../transfers/progress.ts';

/** Format of an exported log; `json` is one message of the contract per line. */
export type ExportFormat = 'text' | 'json';

export interface LogExport {
  readonly entries: PinnedEntries;
  readonly range: LogRange;
  readonly format: ExportFormat;
  readonly deploymentId: string;
  readonly clock: Clock;
  readonly file: WritingFile;
  readonly onProgress: (progress: LinesProgress) => void;
  /** Cancels the export; the file is dropped then. */
  readonly signal: AbortSignal;
}

/** Progress of an export. */
export interface LinesProgress {
  readonly lines: number;
  readonly linesDone: number;
}

/** Result of an export. */
export interface Exported {
  readonly lines: number;
  readonly bytes: number;
  /** Number of gaps in the exported range. */
  readonly gaps: number;
  readonly firstGap: GapEntry<LogLine> | undefined;
  /** True when memory dropped the last lines of the range before they were read. */
  readonly lostAtEnd: boolean;
}

export type ExportOutcome =
  | { readonly kind: 'saved'; readonly exported: Exported }
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
export async function exportLog(options: LogExport): Promise<ExportOutcome> {
  const { file } = options;
  const outcome = await writeAll(options);
  if (outcome.kind !== 'saved') await file.drop();
  return outcome;
}

async function writeAll(options: LogExport): Promise<ExportOutcome> {
  const { entries, range, format, deploymentId, clock, file, signal } = options;
  const slices = sliceLog(entries, range, () => clock.now());
  const report = pacedReport(clock, options.onProgress);
  const counts = { lines: 0, bytes: 0, gaps: 0 };
  let firstGap: GapEntry<LogLine> | undefined;
  for (let end: SliceEnd = 'more'; end === 'more'; ) {
    if (signal.aborted) return { kind: 'cancelled' };
    let text = '';
    end = slices.next((entry) => {
      text += format === 'json' ? jsonText(entry, deploymentId) : wholeText(entry);
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
    const written = await file.write(`${lostLine}\n`);
    if (!written.ok) return { kind: 'unwritable', reason: written.reason };
    counts.bytes += written.bytes;
  }
  const finished = await file.finish();
  if (!finished.ok) return { kind: 'unwritable', reason: finished.reason };
  return { kind: 'saved', exported: { ...counts, firstGap, lostAtEnd } };
}

/** Formats an entry as a line of text with time and service; a gap as a line that names it. */
export function wholeText(entry: Entry<LogLine>): string {
  return entry.kind === 'line' ? textLine(entry.line) : `${gapLine(entry)}\n`;
}

/** Last line of a text whose end was dropped from memory. */
export const lostLine = '-- gap: the lines from here on had left memory --';

/** Formats a gap as a line of text, without a line break. */
export function gapLine(gap: GapEntry<LogLine>): string {
  return `-- ${gapSentence(gap)} --`;
}

function jsonText(entry: Entry<LogLine>, deploymentId: string): string {
  return entry.kind === 'line' ? jsonLine(entry.line, deploymentId) : '';
}
