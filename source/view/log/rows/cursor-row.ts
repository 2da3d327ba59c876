/** Keeps the cursor on its screen row when lines are laid out again. */
import type { ViewportTop } from '../../../store/log/reader/view.ts';
import type { Entries, Entry } from '../../../tail/arena/entries.ts';
import type { Line } from '../../text/line.ts';
import type { LogLine } from '../../../contract/logs.ts';

export interface CursorLayout {
  readonly entries: Entries<LogLine>;
  /** `seq` under the cursor. */
  readonly cursor: number;
  readonly rowsOf: (entry: Entry<LogLine>) => readonly Line[];
}

/** Returns the window row where the line under the cursor begins, or 0 if it begins above. */
export function rowOfCursor(
  { entries, cursor, rowsOf }: CursorLayout,
  top: ViewportTop | undefined,
): number {
  if (top === undefined) return 0;
  const end = entries.indexOf(cursor);
  let row = -top.skipped;
  for (let index = entries.indexOf(top.seq); index < end; index += 1) {
    const entry = entries.at(index);
    if (entry !== undefined) row += rowsOf(entry).length;
  }
  return Math.max(0, row);
}

/** Returns the top of the window that puts the line under the cursor at the given row. */
export function topForCursorRow(
  { entries, cursor, rowsOf }: CursorLayout,
  row: number,
): ViewportTop | undefined {
  let index = entries.indexOf(cursor);
  let rows = 0;
  while (rows < row && index > 0) {
    index -= 1;
    const entry = entries.at(index);
    if (entry !== undefined) rows += rowsOf(entry).length;
  }
  const first = entries.at(index);
  return first && { seq: first.seq, skipped: Math.max(0, rows - row) };
}
