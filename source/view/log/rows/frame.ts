/** Lays the log out in rows. */
import type { Clock } from '../../../store/time/clock.ts';
import { isFiltered } from '../../../store/log/reader/filter.ts';
import type { FoldedRun } from '../../../store/log/patterns/folds.ts';
import type { RestartPlaces } from '../../../store/log/restart-places.ts';
import { isUtcFormat } from '../../../store/log/times.ts';
import type { ViewportTop } from '../../../store/log/reader/view.ts';
import { isLineMarked } from '../../../store/log/reader/marks.ts';
import type { Entries, Entry } from '../../../tail/arena/entries.ts';
import { type Line, plain } from '../../text/line.ts';
import type { CodeUnderlines } from './code-underlines.ts';
import type { ColumnLayout } from './column-layout.ts';
import { earlierRow, emptyLines, stoppedLines } from './earlier.ts';
import { entryRows, type LogLayout, rowAbove } from './entry-rows.ts';
import { rowOfCursor, topForCursorRow } from './cursor-row.ts';
import type { LogMember } from '../members.ts';
import { restartRowsOf } from './restart-rows.ts';
import { type Gutter, type LogStyle, serviceColumnWidth } from './line.ts';
import { selectedRows } from './selected.ts';
import { noMatchText } from '../state-line.ts';
import { logWindow } from './window.ts';
import { noticeRows } from '../../text/notice.ts';
import type { ClickTarget } from '../../parts/click-map.ts';
import type { Tail } from '../../../store/log/tail.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { LogRowCache } from './row-cache.ts';

export interface LogRowsOptions {
  readonly tail: Tail;
  /** Display name of the deployment. */
  readonly name: string;
  /** When the deployment was closed; undefined while it is open, and for a joined tail. */
  readonly closedAt?: string | undefined;
  /** The deployments of a joined tail. */
  readonly members?: readonly LogMember[] | undefined;
  readonly layout: LogLayout;
  /** Underlines places in code; without it none are underlined. */
  readonly code?: CodeUnderlines | undefined;
  /** Draws chosen fields as columns. */
  readonly columns?: ColumnLayout | undefined;
  /** Positions of restart notes; without it none are shown. */
  readonly restartPlaces?: RestartPlaces | undefined;
  readonly clock: Clock;
  /** Returns the service's time in ms, which relative times refer to. */
  readonly serviceNow: () => number;
  readonly cache: LogRowCache;
  /** True when the pane has the focus, and so draws the sign of the cursor. */
  readonly isFocused: boolean;
}

/** The position of a frame, from which the next one starts. */
interface FramePosition {
  readonly top: ViewportTop | undefined;
  readonly laidOut: Tail['reading']['laidOut'];
}

/** A frame of the log; an empty log has no position. */
export interface LogFrameRows {
  readonly rows: readonly Line[];
  readonly cursorRows: ReadonlySet<Line>;
  /** The entries of the rows; notes between the entries have none. */
  readonly targets: ReadonlyMap<Line, ClickTarget>;
  readonly position?: FramePosition;
}

const noRows: ReadonlySet<Line> = new Set();
const noTargets: ReadonlyMap<Line, ClickTarget> = new Map();

/** Returns the frame of the log as it is now. */
export function layOutLog(options: LogRowsOptions): LogFrameRows {
  const { cache, tail, columns } = options;
  const before = cache.instanceWidth;
  const columnsBefore = columns?.version;
  const frame = layOutRows(options, { top: tail.view.top(), laidOut: tail.reading.laidOut });
  // Layout can find a wider instance number or value, which widens the column for all rows.
  const isWider = cache.instanceWidth > before || columns?.version !== columnsBefore;
  return isWider ? layOutRows(options, frame.position) : frame;
}

/** Returns the style in which the lines are drawn now. */
export function logStyle(options: LogRowsOptions): LogStyle {
  const { tail, layout, cache } = options;
  return {
    times: layout.times,
    serviceWidth: serviceColumnWidth(tail.log.services()),
    instanceWidth: cache.instanceWidth,
    members: options.members,
    // Whole seconds let the cached rows be reused in between.
    now: layout.times === 'relative' ? Math.floor(options.serviceNow() / 1000) * 1000 : 0,
    search: tail.search.test(),
    code: options.code,
    columns: options.columns,
    columnsVersion: options.columns?.version,
  };
}

function layOutRows(options: LogRowsOptions, before: FramePosition | undefined): LogFrameRows {
  const { tail, name, members, layout, cache } = options;
  const { log, entries, view, reading } = tail;
  const { width, height } = layout;
  const state = log.state.getState();
  const { connection } = state;
  if (entries.length === 0) {
    const noMatch = noMatchText(tail.filter.state.getState(), state.older);
    const notice =
      noMatch === undefined ? emptyLines(state, name, options.closedAt) : [plain(noMatch)];
    const rows = noticeRows(notice, width, height);
    return { rows, cursorRows: noRows, targets: noTargets };
  }
  const position = view.position.getState();
  const marks = reading.marks.state.getState();
  const style = logStyle(options);
  // The filter may hide the cursor's line; the cursor is then drawn at its insertion point.
  const cursor =
    position.kind === 'frozen'
      ? entries.at(Math.min(entries.indexOf(position.cursor), entries.length - 1))?.seq
      : undefined;
  // A stopped log shows its error below the last line.
  const end = connection.kind === 'stopped' ? connection.error : undefined;
  const endLines = noticeRows(stoppedLines(end, name, options.closedAt), width, height - 1);
  const labels =
    members === undefined || members.length === 0 ? [name] : members.map(({ label }) => label);
  const restartRows = restartRowsOf(tail, options.restartPlaces, labels, isUtcFormat(layout.times));
  const selected = view.selection();
  const earlier = earlierRow(state, isFiltered(tail.filter));
  const oldest = earlier === undefined ? undefined : entries.at(0)?.seq;
  const cursorRows = new Set<Line>();
  const targets = new Map<Line, ClickTarget>();
  // A renumbered log has other lines under the same numbers.
  const clickedLog = `${tail.deploymentIds.join()} ${entries.epoch}`;
  const cursorIndex = cursor === undefined ? -1 : entries.indexOf(cursor);
  const rowsOf = (start: Entry<LogLine>, run?: FoldedRun) => {
    const isInRun = run !== undefined && run.first < cursorIndex && cursorIndex <= run.last;
    // A run shows the line under the cursor, which may be a match or a mark.
    const entry = (isInRun ? entries.at(cursorIndex) : undefined) ?? start;
    const isUnderCursor = entry.seq === cursor;
    const gutter: Gutter = {
      hasCursor: isUnderCursor && options.isFocused,
      hasMark: entry.kind === 'line' && isLineMarked(marks, entry.seq, entry.line),
      ...(run === undefined || run.first === run.last ? {} : { lines: run.last - run.first + 1 }),
      ...(layout.times === 'between' ? { before: timestampBefore(entries, entry.seq) } : {}),
    };
    const drawnRows = cache.of(entry, style, gutter);
    const own =
      isUnderCursor && drawnRows.length >= height
        ? tallRows(entry, style, gutter, layout, before?.top)
        : drawnRows;
    const isSelected =
      selected !== undefined && selected.first <= entry.seq && entry.seq <= selected.last;
    const shown = isSelected ? selectedRows(own) : own;
    // The painter remembers a row's style, so the cursor's rows are never those of another frame.
    const drawn = isUnderCursor ? shown.map((row) => (row === rowAbove ? row : [...row])) : shown;
    if (isUnderCursor) for (const row of drawn) cursorRows.add(row);
    const target = { kind: 'log-line', log: clickedLog, seq: entry.seq } as const;
    for (const row of drawn) targets.set(row, target);
    const rows = [...drawn, ...restartRows(entry.seq)];
    return earlier !== undefined && start.seq === oldest ? [earlier, ...rows] : rows;
  };
  const runAt = (index: number): FoldedRun => tail.folds.runAt(index);
  /** Returns the rows of an entry; none within a run. */
  const ownRows = (entry: Entry<LogLine>): readonly Line[] => {
    const index = entries.indexOf(entry.seq);
    const run = runAt(index);
    return run.first === index ? rowsOf(entry, run) : [];
  };
  const cursorLayout =
    position.kind === 'frozen' ? { entries, cursor: position.cursor, rowsOf: ownRows } : undefined;
  const laidOut = before?.laidOut;
  const hasLayoutChanged =
    laidOut !== undefined && (laidOut.wrap !== layout.wrap || laidOut.width !== width);
  const window = logWindow({
    entries,
    position,
    // After a layout change the cursor's line keeps its screen row.
    top:
      cursorLayout !== undefined && hasLayoutChanged
        ? topForCursorRow(cursorLayout, laidOut.row)
        : before?.top,
    height: Math.max(1, height - endLines.length),
    rowsOf,
    runAt,
  });
  const row = cursorLayout && rowOfCursor(cursorLayout, window.top);
  const underCursor = cursorIndex < 0 ? undefined : entries.at(cursorIndex);
  const hidden = underCursor === undefined ? 0 : ownRows(underCursor).length - height;
  return {
    rows: [...window.rows, ...endLines],
    cursorRows,
    targets,
    position: {
      top: window.top,
      laidOut:
        row === undefined
          ? undefined
          : { wrap: layout.wrap, width, row, hidden: Math.max(0, hidden) },
    },
  };
}

/**
 * Returns the rows of the line under the cursor, which may be taller than the window: those around the
 * window, and as far as the next screen.
 * @param top first row of the window, which may be within the line.
 */
function tallRows(
  entry: Entry<LogLine>,
  style: LogStyle,
  gutter: Gutter,
  layout: LogLayout,
  top: ViewportTop | undefined,
): readonly Line[] {
  const { height } = layout;
  const skipped = top?.seq === entry.seq ? top.skipped : 0;
  const above = Math.max(0, skipped - height);
  const rows = skipped - above + 2 * height;
  return entryRows(entry, style, gutter, { ...layout, height: rows }, above);
}

/** Returns the timestamp of the entry before another one; undefined for a gap. */
function timestampBefore(entries: Entries<LogLine>, seq: number): string | undefined {
  const before = entries.at(entries.indexOf(seq) - 1);
  return before?.kind === 'line' ? before.line.timestamp : undefined;
}
