import type { Clock } from '../store/clock.ts';
import type { Tail } from '../store/opened.ts';
import { gapSentence, type LogLine } from '../store/log-view.ts';
import { isMarkedIn } from '../store/log-marks.ts';
import type { LogConnectionState } from '../store/logs-connection.ts';
import type { LogTimes } from '../store/log-times.ts';
import type { Entry, GapEntry } from '../tail/entries.ts';
import { longestCell, sliceLine, wrapLine } from './fit.ts';
import { type Line, plain, span } from './line.ts';
import {
  emptyGutter,
  type Gutter,
  headSpans,
  logLine,
  type LogStyle,
  serviceColumn,
} from './log-rows.ts';
import { rowOfCursor, topForRow } from './log-eye.ts';
import { unmatchedText } from './log-state.ts';
import { logWindow } from './log-window.ts';
import { errorLines, noticeRows } from './notice.ts';
import type { PaintSource } from './parts/painted.tsx';

/** How the reader wants the log, and how much of it there is room for. */
export interface LogLook {
  readonly width: number;
  readonly height: number;
  readonly wrap: boolean;
  readonly times: LogTimes;
  /** Columns the lines are moved sideways. */
  readonly left: number;
}

export interface LogPictureOptions {
  readonly tail: Tail;
  /** What people call the deployment. */
  readonly name: string;
  readonly look: LogLook;
  readonly clock: Clock;
  /** The service's time, which relative times count from. */
  readonly serviceNow: () => number;
  readonly rows: LogRows;
}

/** The rows of each entry in one look; those under the cursor and marked ones are made anew. */
export class LogRows {
  readonly #look: LogLook;
  #style: LogStyle | undefined;
  #rows = new WeakMap<Entry<LogLine>, readonly Line[]>();

  constructor(look: LogLook) {
    this.#look = look;
  }

  of(entry: Entry<LogLine>, style: LogStyle, gutter: Gutter): readonly Line[] {
    const { times, serviceWidth, now, search } = this.#style ?? {};
    const isSame = times === style.times && serviceWidth === style.serviceWidth;
    if (!isSame || now !== style.now || search !== style.search) {
      this.#style = style;
      this.#rows = new WeakMap();
    }
    if (gutter.cursor || gutter.mark) return entryRows(entry, style, gutter, this.#look);
    const known = this.#rows.get(entry);
    if (known !== undefined) return known;
    const rows = entryRows(entry, style, emptyGutter, this.#look);
    this.#rows.set(entry, rows);
    return rows;
  }
}

/** The log as rows to paint, as it is at the moment of painting. */
export function logPicture(options: LogPictureOptions): PaintSource {
  const { tail, look, clock } = options;
  return {
    subscribe(changed) {
      const ends = [tail.log.state.subscribe(() => changed()), ...onQueries(tail, changed)];
      if (look.times === 'relative') ends.push(everySecond(clock, changed));
      return () => {
        for (const end of ends) end();
      };
    },
    rows: () => logPictureRows(options),
  };
}

/** Another filter or search is a key's doing; more lines that match are not. */
function onQueries({ filter, search }: Tail, changed: (urgent?: boolean) => void) {
  return [
    filter.state.subscribe(({ query, services }, before) => {
      changed(query !== before.query || services !== before.services);
    }),
    search.state.subscribe(({ query }, before) => {
      if (query !== before.query) changed(true);
    }),
  ];
}

function logPictureRows({ tail, name, look, serviceNow, rows }: LogPictureOptions) {
  const { log, entries, view, reading } = tail;
  const { width, height } = look;
  const { connection } = log.state.getState();
  if (entries.length === 0) {
    const unmatched = unmatchedText(tail.filter.state.getState());
    const said = unmatched === undefined ? emptyLines(connection, name) : [plain(unmatched)];
    return noticeRows(said, width, height);
  }
  const position = view.position.getState();
  const marks = reading.marks.state.getState();
  const style: LogStyle = {
    times: look.times,
    serviceWidth: serviceColumn(log.services()),
    // Whole seconds, so that rows stay the same in between.
    now: look.times === 'relative' ? Math.floor(serviceNow() / 1000) * 1000 : 0,
    search: tail.search.test(),
  };
  // Of a line that a filter hides, the one that stands where it would is under the cursor.
  const cursor =
    position.kind === 'frozen'
      ? entries.at(Math.min(entries.indexOf(position.cursor), entries.length - 1))?.seq
      : undefined;
  // A log that has stopped says why, below its last line.
  const end = connection.kind === 'stopped' ? connection.error : undefined;
  const endLines = end === undefined ? [] : noticeRows(errorLines(end), width, height - 1);
  const rowsOf = (entry: Entry<LogLine>) =>
    rows.of(entry, style, {
      cursor: entry.seq === cursor,
      mark: entry.kind === 'line' && isMarkedIn(marks, entry.seq, entry.line),
    });
  const eye = position.kind === 'frozen' ? { entries, cursor: position.cursor, rowsOf } : undefined;
  const { laidOut } = reading;
  const isLaidOutAnew =
    laidOut !== undefined && (laidOut.wrap !== look.wrap || laidOut.width !== width);
  const window = logWindow({
    entries,
    position,
    // Lines that take other rows now go around the one under the eye.
    top: eye !== undefined && isLaidOutAnew ? topForRow(eye, laidOut.row) : view.top(),
    height: Math.max(1, height - endLines.length),
    rowsOf,
  });
  view.drawn(window.top);
  reading.laidOut = eye && { wrap: look.wrap, width, row: rowOfCursor(eye, window.top) };
  return [...window.rows, ...endLines];
}

function entryRows(
  entry: Entry<LogLine>,
  style: LogStyle,
  gutter: Gutter,
  { width, height, wrap, left }: LogLook,
): readonly Line[] {
  if (entry.kind === 'gap') return [gapLine(entry, gutter)];
  // A line may be 64 KiB long: what cannot come into sight is not looked at.
  const inSight = (wrap ? width * height : left + width) * longestCell;
  const text = entry.line.logLine.slice(0, inSight);
  const line = logLine({ ...entry.line, logLine: text }, style, gutter);
  if (wrap) return wrapLine(line, width, height);
  return [
    left === 0 ? line : [...line.slice(0, headSpans), ...sliceLine(line.slice(headSpans), left)],
  ];
}

/** Lines that are missing, with the key that fetches them, or being fetched. */
function gapLine(gap: GapEntry<LogLine>, { cursor }: Gutter): Line {
  const start = span(cursor ? '>' : ' ', 'info');
  return gap.state.kind === 'filling'
    ? [start, span(`-- ${gapSentence(gap)}... --`, 'busy')]
    : [start, span(`-- ${gapSentence(gap)}. R tries again --`, 'bad')];
}

/** What an empty log says: that it is waited for, or why there is none. */
function emptyLines(connection: LogConnectionState, name: string): readonly Line[] {
  switch (connection.kind) {
    case 'retrying':
    case 'stopped':
    case 'connecting':
      return connection.error === undefined ? [] : errorLines(connection.error);
    case 'live':
    case 'polling':
      return [[span(`No lines yet from ${name}. Following.`, 'quiet')]];
    default:
      return connection satisfies never;
  }
}

function everySecond(clock: Clock, action: () => void): () => void {
  let cancel = () => {};
  const tick = () => {
    cancel = clock.after(1000 - (clock.now() % 1000), () => {
      action();
      tick();
    });
  };
  tick();
  return () => cancel();
}
