import type { Clock } from '../store/clock.ts';
import type { Tail } from '../store/opened.ts';
import type { LogLine } from '../store/log-view.ts';
import type { LogConnectionState } from '../store/logs-connection.ts';
import type { LogTimes } from '../store/screen.ts';
import type { Entry } from '../tail/entries.ts';
import { longestCell, sliceLine, wrapLine } from './fit.ts';
import { type Line, span } from './line.ts';
import { gapText } from './log-gap.ts';
import { logLine, type LogStyle, serviceColumn } from './log-rows.ts';
import { selectedRows } from './log-selected.ts';
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

/** The rows of each entry in one look; those under the cursor are made anew. */
export class LogRows {
  readonly #look: LogLook;
  #style: LogStyle | undefined;
  #rows = new WeakMap<Entry<LogLine>, readonly Line[]>();

  constructor(look: LogLook) {
    this.#look = look;
  }

  of(entry: Entry<LogLine>, style: LogStyle, cursor: boolean): readonly Line[] {
    const { times, serviceWidth, now } = this.#style ?? {};
    if (times !== style.times || serviceWidth !== style.serviceWidth || now !== style.now) {
      this.#style = style;
      this.#rows = new WeakMap();
    }
    if (cursor) return entryRows(entry, style, true, this.#look);
    const known = this.#rows.get(entry);
    if (known !== undefined) return known;
    const rows = entryRows(entry, style, false, this.#look);
    this.#rows.set(entry, rows);
    return rows;
  }
}

/** The log as rows to paint, as it is at the moment of painting. */
export function logPicture(options: LogPictureOptions): PaintSource {
  const { tail, look, clock } = options;
  return {
    subscribe(changed) {
      const ends = [tail.log.state.subscribe(() => changed())];
      if (look.times === 'relative') ends.push(everySecond(clock, changed));
      return () => {
        for (const end of ends) end();
      };
    },
    rows: () => logPictureRows(options),
  };
}

function logPictureRows({ tail, name, look, serviceNow, rows }: LogPictureOptions) {
  const { log, entries, view } = tail;
  const { width, height } = look;
  const { connection } = log.state.getState();
  if (entries.length === 0) return noticeRows(emptyLines(connection, name), width, height);
  const position = view.position.getState();
  const style: LogStyle = {
    times: look.times,
    serviceWidth: serviceColumn(log.services()),
    // Whole seconds, so that rows stay the same in between.
    now: look.times === 'relative' ? Math.floor(serviceNow() / 1000) * 1000 : 0,
  };
  // A log that has stopped says why, below its last line.
  const end = connection.kind === 'stopped' ? connection.error : undefined;
  const endLines = end === undefined ? [] : noticeRows(errorLines(end), width, height - 1);
  const selected = view.selection();
  const window = logWindow({
    entries,
    position,
    top: view.top(),
    height: Math.max(1, height - endLines.length),
    rowsOf(entry) {
      const hasCursor = position.kind === 'frozen' && position.cursor === entry.seq;
      const own = rows.of(entry, style, hasCursor);
      const isSelected =
        selected !== undefined && selected.first <= entry.seq && entry.seq <= selected.last;
      return isSelected ? selectedRows(own) : own;
    },
  });
  view.drawn(window.top);
  return [...window.rows, ...endLines];
}

function entryRows(
  entry: Entry<LogLine>,
  style: LogStyle,
  cursor: boolean,
  { width, height, wrap, left }: LogLook,
): readonly Line[] {
  if (entry.kind === 'gap') return [[span(`${cursor ? '>' : ' '}${gapText(entry)}`, 'bad')]];
  // A line may be 64 KiB long: what cannot come into sight is not looked at.
  const inSight = (wrap ? width * height : left + width) * longestCell;
  const text = entry.line.logLine.slice(0, inSight);
  const line = logLine({ ...entry.line, logLine: text }, style, cursor);
  if (wrap) return wrapLine(line, width, height);
  return [left === 0 ? line : [...line.slice(0, 1), ...sliceLine(line.slice(1), left)]];
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
