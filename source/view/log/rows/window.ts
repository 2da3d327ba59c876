import type { LogPosition, ViewportTop } from '../../../store/log/reader/view.ts';
import type { FoldedRun } from '../../../store/log/patterns/folds.ts';
import type { Entries, Entry } from '../../../tail/arena/entries.ts';
import type { Line } from '../../text/line.ts';
import type { LogLine } from '../../../contract/logs.ts';

/** The visible rows of the log. */
export interface LogWindow {
  readonly rows: readonly Line[];
  /** The start of the next window of a frozen log. */
  readonly top: ViewportTop | undefined;
}

/**
 * Returns the rows to draw in `height` rows. A followed log ends with its newest line. A frozen one
 * starts at `top` and scrolls only as far as the cursor requires, even when entries were inserted
 * around it.
 */
export function logWindow(options: {
  readonly entries: Entries<LogLine>;
  readonly position: LogPosition;
  readonly top: ViewportTop | undefined;
  readonly height: number;
  /** Returns the rows of one entry, at least one; the first of a run stands for all of it. */
  readonly rowsOf: (entry: Entry<LogLine>, run: FoldedRun) => readonly Line[];
  /** Returns the run of entries that are drawn as one; by default each is drawn. */
  readonly runAt?: ((index: number) => FoldedRun) | undefined;
}): LogWindow {
  const { entries, position, height } = options;
  if (position.kind === 'following') return windowEndingAt(options, entries.length - 1);
  const cursor = runAt(
    options,
    Math.min(entries.indexOf(position.cursor), entries.length - 1),
  ).first;
  const { index: top, skipped } = windowStart(options, cursor);
  const rows: Line[] = [];
  let isCursorShown = false;
  for (
    let index = top;
    index < entries.length && rows.length < height;
    index = runAt(options, index).last + 1
  ) {
    rows.push(...entryRows(options, index).slice(index === top ? skipped : 0));
    // The first row must be visible for a line that is taller than the window.
    if (index === cursor) isCursorShown = rows.length <= height || index === top;
  }
  // The window has room below the last line, so it is filled from the bottom.
  const isShort = rows.length < height && (top > 0 || skipped > 0);
  if (isShort) return windowEndingAt(options, entries.length - 1);
  if (!isCursorShown) return windowAround(options, cursor);
  return { rows: rows.slice(0, height), top: topAt(options, top, skipped) };
}

/** Returns the first entry of a frozen window and the number of its rows above the window. */
function windowStart(
  options: Parameters<typeof logWindow>[0],
  cursor: number,
): { readonly index: number; readonly skipped: number } {
  const { entries, top } = options;
  const index = top === undefined ? cursor : runAt(options, entries.indexOf(top.seq)).first;
  // The window starts within the cursor's line only where that is taller than the window.
  if (index >= cursor) {
    const isOwn = top !== undefined && entries.at(cursor)?.seq === top.seq;
    const hidden = isOwn ? entryRows(options, cursor).length - options.height : 0;
    return { index: cursor, skipped: Math.max(0, Math.min(top?.skipped ?? 0, hidden)) };
  }
  if (top === undefined || entries.at(index)?.seq !== top.seq) return { index, skipped: 0 };
  // A wider window may give the entry fewer rows, so at least its last one stays visible.
  return { index, skipped: Math.min(top.skipped, entryRows(options, index).length - 1) };
}

function runAt({ runAt: of }: Parameters<typeof logWindow>[0], index: number): FoldedRun {
  return of === undefined ? { first: index, last: index } : of(index);
}

function topAt(
  { entries }: Parameters<typeof logWindow>[0],
  index: number,
  skipped: number,
): ViewportTop | undefined {
  const entry = entries.at(index);
  return entry === undefined ? undefined : { seq: entry.seq, skipped };
}

/** Returns the window that ends with the entry at `index`, or starts with it if it is taller. */
function windowAround(options: Parameters<typeof logWindow>[0], index: number): LogWindow {
  const rows = entryRows(options, index);
  if (rows.length < options.height) return windowEndingAt(options, index);
  return { rows: rows.slice(0, options.height), top: topAt(options, index, 0) };
}

/** Returns the window that ends with the last row of the entry at `last`. */
function windowEndingAt(options: Parameters<typeof logWindow>[0], last: number): LogWindow {
  const { height } = options;
  const rows: Line[] = [];
  let end = last;
  let first = last + 1;
  while (end >= 0 && rows.length < height) {
    ({ first } = runAt(options, end));
    rows.unshift(...entryRows(options, first));
    end = first - 1;
  }
  const skipped = Math.max(0, rows.length - height);
  return { rows: rows.slice(skipped), top: topAt(options, first, skipped) };
}

function entryRows(options: Parameters<typeof logWindow>[0], index: number): readonly Line[] {
  const entry = options.entries.at(index);
  return entry === undefined ? [] : options.rowsOf(entry, runAt(options, index));
}
