import type { LogLine } from '../../../contract/logs.ts';
import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';
import { gapSentence } from '../../../tail/arena/gap.ts';
import { type Clock, turnOf } from '../../time/clock.ts';
import type { WritingFile } from '../../transfers/local-files.ts';
import { jsonLine, textLine } from '../format.ts';
import type { PinnedEntries } from './pinned.ts';
import { type LogRange, type SliceEnd, sliceLog } from './slices.ts';
import { pacedReport } from '../../transfers/progress.ts';

/** `json`: a message of the contract a line. */
export type ExportFormat = 'text' | 'json';

export interface LogExport {
  readonly entries: PinnedEntries;
  readonly range: LogRange;
  readonly format: ExportFormat;
  readonly deploymentId: string;
  readonly clock: Clock;
  readonly file: WritingFile;
  readonly onProgress: (progress: LinesProgress) => void;
  /** Aborted to end it; nothing is left of it then. */
  readonly signal: AbortSignal;
}

/** How far an export is. */
export interface LinesProgress {
  readonly lines: number;
  readonly linesDone: number;
}

/** What an export wrote. */
export interface Exported {
  readonly lines: number;
  readonly bytes: number;
  /** Where lines are missing in it: so many gaps, and the first of them. */
  readonly gaps: number;
  readonly firstGap: GapEntry<LogLine> | undefined;
  /** Lines at its end had left memory before they were read. */
  readonly lostAtEnd: boolean;
}

export type ExportOutcome =
  | { readonly kind: 'saved'; readonly exported: Exported }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'moved' }
  | { readonly kind: 'unwritable'; readonly reason: string };

/** The format that the name of a file asks for. */
export function exportFormat(name: string): ExportFormat {
  return /\.(jsonl|ndjson|json)$/i.test(name) ? 'json' : 'text';
}

/**
 * Writes entries of a log to a file of this machine, in slices that keys come between. The file is
 * there whole, or as it was.
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
      text += format === 'json' ? jsonOf(entry, deploymentId) : wholeText(entry);
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

/** An entry as a line of text with its time and service; a gap as a line that says so. */
export function wholeText(entry: Entry<LogLine>): string {
  return entry.kind === 'line' ? textLine(entry.line) : `${gapLine(entry)}\n`;
}

/** Stands at the end of a text where what follows is missing. */
export const lostLine = '-- gap: the lines from here on had left memory --';

/** Stands in a text where lines are missing. */
export function gapLine(gap: GapEntry<LogLine>): string {
  return `-- ${gapSentence(gap)} --`;
}

function jsonOf(entry: Entry<LogLine>, deploymentId: string): string {
  return entry.kind === 'line' ? jsonLine(entry.line, deploymentId) : '';
}
