import { parseRow } from './cell-row.ts';
import { InkStdout, type Size } from './ink-stdout.ts';
import { type DrawOptions, ShownScreen, type Traits } from './screen-diff.ts';
import { type Link, ScreenLink, type ScreenTimers } from './screen-link.ts';
import { type Area, type RegionRows, ScreenPicture } from './screen-rows.ts';

export type { Link } from './screen-link.ts';
export type { Area, RegionRows } from './screen-rows.ts';

/** A cell by column and row, from 0. */
export interface Cell {
  readonly x: number;
  readonly y: number;
}

/** A region whose rows are painted past Ink. */
export interface PaintedRegion {
  /**
   * Its rows are new; they are painted when the link has room, the newest then. What answers a key
   * is `urgent`: it is painted with the next frame.
   */
  changed(urgent?: boolean): void;
  remove(): void;
}

/** Where regions are painted. */
export interface Painter {
  /** Paints `rows` through the holes of Ink's frame in `area`, first with the next frame. */
  paint(area: Area, rows: RegionRows): PaintedRegion;
  /** Shows the terminal's cursor, which input methods follow, on a cell; undefined: hides it. */
  placeCursor(cell: Cell | undefined): void;
  /** Calls `action` once the terminal has got all that is drawn by now, or cannot tell. */
  afterShown(action: () => void): void;
}

/** A frame that somebody else has painted. */
export interface PaintedFrame {
  readonly columns: number;
  readonly rows: readonly string[];
}

export interface TerminalScreen {
  /** For Ink's `stdout` option, with `debug` where there is a painter. */
  readonly stdout: NodeJS.WriteStream;
  /** Undefined where Ink writes to the terminal by itself. */
  readonly painter: Painter | undefined;
  readonly link: Link;
  /** Takes the terminal over. `painted`: a frame that stands on the alternate screen already. */
  start(painted?: PaintedFrame): void;
  /** The terminal has got what was written up to its question, and answered. */
  answered(): void;
  /** Draws everything anew: something else may have written to the terminal. */
  repaint(): void;
  /** Writes what draws nothing: between two frames, and once it has the terminal. */
  pass(bytes: string): void;
  /** Writes, and asks, nothing more until {@link resume}. */
  pause(): void;
  /** Gives the terminal to somebody else, as it was found. */
  suspend(): void;
  /** Takes it back. */
  resume(): void;
}

export interface ScreenOptions {
  readonly output: { write(data: string): void; leave(): void };
  readonly terminal: NodeJS.EventEmitter & Partial<Size>;
  readonly traits: Traits & { readonly alternateScreen: boolean };
  readonly timers?: ScreenTimers;
}

/** A screen of its own (xterm); entered again, it would be cleared. */
const alternateScreen = '\x1b[?1049h';
/** Cursor off, and no wrap at the last column, where widths may be disputed. */
const modes = '\x1b[?25l\x1b[?7l';

const systemTimers: ScreenTimers = { now: () => performance.now(), setTimeout, clearTimeout };

/**
 * The terminal's screen. Takes Ink's frames and the rows of painted regions, and writes what differs
 * from what the terminal shows: one write a frame, at once, but for rows that may wait for the link.
 */
export function createTerminalScreen(
  options: ScreenOptions,
): TerminalScreen & { readonly painter: Painter } {
  const { output, terminal, traits, timers = systemTimers } = options;
  const size = sizeOf(terminal);
  const picture = new ScreenPicture(size);
  const shown = new ShownScreen(size.columns, size.rows, traits);
  const link = new ScreenLink(output, timers, flush);
  let away = true;
  let scheduled = false;
  /** What was to be passed while somebody else has the terminal. */
  let waiting = '';
  let cursor: DrawOptions['cursor'];
  let isCursorPlaced = false;

  const stdout = new InkStdout(size, (rows) => {
    picture.frame(rows);
    schedule();
  });

  /** Behind the microtask in which React draws what one key has changed. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      flush();
    });
  }

  function flush(): void {
    if (away) return;
    const options = cursor === undefined ? {} : { cursor };
    let bytes = picture.hurried || isCursorPlaced ? drawUrgent(options) : '';
    while (picture.flowing) {
      const { budget } = link;
      if (budget === 0) break;
      const slice = shown.draw(picture.whole(), { ...options, budget });
      if (slice.complete) picture.flowed();
      link.write(bytes + slice.bytes);
      bytes = '';
    }
    link.write(bytes);
    link.settle();
  }

  function drawUrgent(options: DrawOptions): string {
    isCursorPlaced = false;
    // On a slow link, what a key does to the chrome is seen before the rows it brings.
    const chrome = picture.chrome();
    const bytes = chrome === undefined ? '' : shown.draw(chrome, options).bytes;
    return bytes + shown.draw(picture.urgent(), options).bytes;
  }

  function resize(): void {
    const next = sizeOf(terminal);
    picture.resize(next);
    shown.forget(next.columns, next.rows);
    // Ink draws at once with the old layout, and again when the app knows of the new size.
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      flush();
    });
    stdout.resize(next);
  }

  /** Gives whether the terminal has another size than was known. */
  function refit(): boolean {
    const { columns, rows } = sizeOf(terminal);
    const isOther = columns !== stdout.columns || rows !== stdout.rows;
    if (isOther) resize();
    return isOther;
  }

  function takeOver(entered = false): void {
    away = false;
    output.write(entered || !traits.alternateScreen ? modes : alternateScreen + modes);
    link.reset();
    link.write(waiting);
    waiting = '';
  }

  function pause(): void {
    away = true;
    link.pause();
  }

  function repaint(): void {
    output.write(modes);
    shown.forget();
    picture.renew();
    schedule();
  }

  return {
    stdout: stdout.asStream(),
    link,
    painter: {
      paint(area, rows) {
        const region = picture.add(area, rows);
        schedule();
        return {
          changed(urgent = false) {
            picture.changed(region, urgent);
            schedule();
          },
          remove: () => picture.remove(region),
        };
      },
      placeCursor(cell) {
        cursor =
          cell === undefined ? cursor && { ...cursor, visible: false } : { ...cell, visible: true };
        isCursorPlaced = true;
        schedule();
      },
      afterShown(action) {
        queueMicrotask(() => {
          flush();
          link.afterArrival(action);
        });
      },
    },
    answered() {
      link.answered();
      flush();
    },
    start(painted) {
      takeOver(painted !== undefined);
      terminal.on('resize', resize);
      if (!refit() && painted?.columns === size.columns && painted.rows.length === size.rows) {
        shown.adopt(painted.rows.map((row) => parseRow(row, size.columns)));
      }
    },
    repaint,
    pass(bytes) {
      if (away) {
        waiting += bytes;
        return;
      }
      link.write(bytes);
      link.settle();
    },
    pause,
    suspend() {
      pause();
      output.leave();
    },
    resume() {
      takeOver();
      refit();
      repaint();
    },
  };
}

function sizeOf({ columns, rows }: Partial<Size>): Size {
  return { columns: columns || 80, rows: rows || 24 };
}
