import { type CellRow, parseRow, restyleRow } from './cell-row.ts';
import { InkStdout, type TerminalSize } from './ink-stdout.ts';
import { type DrawOptions, ShownScreen } from './shown-screen.ts';
import { type Link, ScreenLink, type ScreenTimers } from './screen-link.ts';
import { enterAlternateScroll } from '../modes.ts';
import { monotonicTime } from '../monotonic-time.ts';
import { ComposedScreen } from './screen-rows.ts';
import type { Painter } from './painter.ts';
import type { ScreenTraits } from './screen-pen.ts';
import { blankStyle, type CellStyle, styleOver } from './cell-style.ts';
import type { TextStyle } from './sgr.ts';

/** A frame of text with SGR that is already on the terminal. */
export interface PaintedFrame {
  readonly columns: number;
  readonly rows: readonly string[];
}

export interface TerminalScreen {
  /** The stream for Ink's `stdout` option, with `debug` if there is a painter. */
  readonly stdout: NodeJS.WriteStream;
  /** Undefined if Ink writes to the terminal directly. */
  readonly painter: Painter | undefined;
  readonly link: Link;
  /** Follows a fact about the frames, read after each write; replaces an earlier one. */
  followFrames<T>(read: () => T): FrameFacts<T> & { stop(): void };
  /**
   * Takes the terminal over.
   * @param painted a frame that is already on the alternate screen.
   */
  start(painted?: PaintedFrame): void;
  /** Records the terminal's answer to the oldest question. */
  recordAnswer(): void;
  /** Redraws everything, as another program may have written to the terminal. */
  repaint(): void;
  /** Writes output that draws nothing, between two frames; after {@link resume} if paused. */
  writeThrough(bytes: string): void;
  /** Stops all output, including questions, until {@link resume}. */
  pause(): void;
  /** Restores the terminal for another program. */
  suspend(): void;
  /** Takes the terminal over again. */
  resume(): void;
}

export interface ScreenOptions {
  readonly output: { write(data: string): void; leave(): void };
  readonly terminal: NodeJS.EventEmitter & Partial<TerminalSize>;
  readonly traits: ScreenTraits & { readonly alternateScreen: boolean };
  readonly timers?: ScreenTimers;
}

/** Enters the alternate screen (xterm), which clears it. */
const alternateScreen = '\x1b[?1049h';
/** Hides the cursor, and turns off line wrap, as terminals disagree about widths. */
const modes = '\x1b[?25l\x1b[?7l';

const systemTimers: ScreenTimers = { now: monotonicTime, setTimeout, clearTimeout };

/**
 * Creates the terminal's screen. It combines Ink's frames with the rows of painted regions, and writes
 * the differences from the rows shown: one write a frame, at once, except for rows that wait for
 * room on the link.
 */
export function createTerminalScreen(
  options: ScreenOptions,
): TerminalScreen & { readonly painter: Painter } {
  const { output, terminal, traits, timers = systemTimers } = options;
  const size = sizeOf(terminal);
  const picture = new ComposedScreen(size);
  const shown = new ShownScreen(size.columns, size.rows, traits);
  const link = new ScreenLink(output, timers, flush);
  let isPaused = true;
  let isScheduled = false;
  /** Output passed while paused. */
  let pending = '';
  let cursor: DrawOptions['cursor'];
  let isCursorPlaced = false;
  let ground: Ground | undefined;
  /** Called with each frame that is written. */
  let onFrame = (): void => {};

  const stdout = new InkStdout(size, (rows) => {
    picture.setFrame(rows);
    schedule();
  });

  /** Flushes after the microtask in which React draws the changes of a key. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      flush();
    });
  }

  function flush(): void {
    if (isPaused) return;
    const options = cursor === undefined ? {} : { cursor };
    let bytes = picture.hurried || isCursorPlaced ? drawUrgent(options) : '';
    while (picture.flowing) {
      const { budget } = link;
      if (budget === 0) break;
      const slice = shown.draw(grounded(picture.allRows()), { ...options, budget });
      if (slice.complete) picture.markFlowed();
      link.write(bytes + slice.bytes);
      bytes = '';
    }
    link.write(bytes);
    onFrame();
    link.updateTimers();
  }

  function drawUrgent(options: DrawOptions): string {
    isCursorPlaced = false;
    // The chrome comes first, so that a key shows an effect before its rows on a slow link.
    const chrome = picture.chromeRows();
    const bytes = chrome === undefined ? '' : shown.draw(grounded(chrome), options).bytes;
    return bytes + shown.draw(grounded(picture.urgentRows()), options).bytes;
  }

  function grounded(rows: readonly CellRow[]): readonly CellRow[] {
    return ground === undefined ? rows : ground.rows(rows);
  }

  function resize(): void {
    const next = sizeOf(terminal);
    picture.resize(next);
    shown.invalidate(next.columns, next.rows);
    // Ink draws at once with the old layout, and again when the app has the new size.
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      flush();
    });
    stdout.resize(next);
  }

  /** Adopts the terminal's current size; returns whether it has changed. */
  function updateSize(): boolean {
    const { columns, rows } = sizeOf(terminal);
    const hasChanged = columns !== stdout.columns || rows !== stdout.rows;
    if (hasChanged) resize();
    return hasChanged;
  }

  function takeOver(isOnAlternateScreen = false): void {
    isPaused = false;
    const isEntered = isOnAlternateScreen || !traits.alternateScreen;
    const scroll = traits.alternateScreen ? enterAlternateScroll : '';
    output.write((isEntered ? modes : alternateScreen + modes) + scroll);
    link.reset();
    link.write(pending);
    pending = '';
  }

  function pause(): void {
    isPaused = true;
    link.pause();
  }

  function repaint(): void {
    output.write(modes);
    shown.invalidate();
    picture.invalidate();
    schedule();
  }

  return {
    stdout: stdout.asStream(),
    link,
    painter: {
      paint(area, rows) {
        const region = picture.addRegion(area, rows);
        schedule();
        return {
          reportChange(urgent = false) {
            picture.markChanged(region, urgent);
            schedule();
          },
          isWritten: () => picture.isWritten(region),
          remove: () => picture.removeRegion(region),
        };
      },
      placeCursor(cell) {
        cursor =
          cell === undefined ? cursor && { ...cursor, visible: false } : { ...cell, visible: true };
        isCursorPlaced = true;
        schedule();
      },
      setGround(style) {
        if (style === undefined && ground === undefined) return;
        ground = style && new Ground(style);
        picture.invalidate();
        schedule();
      },
      afterShown(action) {
        queueMicrotask(() => {
          flush();
          link.afterArrival(action);
        });
      },
    },
    followFrames(read) {
      const facts = createFrameFacts(link, read);
      onFrame = facts.record;
      return {
        ...facts,
        stop() {
          if (onFrame === facts.record) onFrame = () => {};
        },
      };
    },
    recordAnswer() {
      link.recordAnswer();
      flush();
    },
    start(painted) {
      takeOver(painted !== undefined);
      terminal.on('resize', resize);
      if (!updateSize() && painted?.columns === size.columns && painted.rows.length === size.rows) {
        shown.adopt(painted.rows.map((row) => parseRow(row, size.columns)));
      }
    },
    repaint,
    writeThrough(bytes) {
      if (isPaused) {
        pending += bytes;
        return;
      }
      link.write(bytes);
      link.updateTimers();
    },
    pause,
    suspend() {
      pause();
      output.leave();
    },
    resume() {
      takeOver();
      updateSize();
      repaint();
    },
  };
}

function sizeOf({ columns, rows }: Partial<TerminalSize>): TerminalSize {
  return { columns: columns || 80, rows: rows || 24 };
}

/** Facts about the frames of the screen, each as it was when its frame was written. */
interface FrameFacts<T> {
  /** Returns the fact of the last frame that the terminal has acknowledged; undefined without one. */
  shown(): T | undefined;
  /** Returns the facts of the frames after that one, which the terminal may show or not, oldest first. */
  unacknowledged(): readonly T[];
}

/**
 * Creates the facts of frames that a link sends to the terminal.
 *
 * @param read returns the fact of the frame that was just written.
 */
function createFrameFacts<T>(
  link: Pick<ScreenLink, 'isSilent' | 'afterAcknowledged'>,
  read: () => T,
): FrameFacts<T> & { readonly record: () => void } {
  let shown: T | undefined;
  let later: readonly T[] = [];
  return {
    shown: () => shown,
    unacknowledged: () => later,
    record() {
      const fact = read();
      if (link.isSilent) {
        [shown, later] = [undefined, []];
        return;
      }
      if (fact === (later.at(-1) ?? shown)) return;
      later = [...later, fact];
      link.afterAcknowledged(() => {
        shown = fact;
        later = later.slice(later.indexOf(fact) + 1);
      });
    },
  };
}

/**
 * Text and background colours below all rows of a screen. They are part of each cell, because not
 * every terminal erases and scrolls in the current background.
 */
export class Ground {
  readonly #style: TextStyle;
  readonly #styles = new Map<CellStyle, CellStyle>();
  /** Painted rows by the rows without it, as most rows stay the same. */
  readonly #rows = new WeakMap<CellRow, CellRow>();

  constructor(style: TextStyle) {
    this.#style = style;
  }

  rows(rows: readonly CellRow[]): readonly CellRow[] {
    return rows.map((row) => {
      const known = this.#rows.get(row);
      if (known !== undefined) return known;
      const painted = restyleRow(row, (style, text) => {
        const over = this.#over(style);
        return text === ' ' ? blankStyle(over) : over;
      });
      this.#rows.set(row, painted);
      return painted;
    });
  }

  #over(style: CellStyle): CellStyle {
    let over = this.#styles.get(style);
    if (over === undefined) this.#styles.set(style, (over = styleOver(style, this.#style)));
    return over;
  }
}
