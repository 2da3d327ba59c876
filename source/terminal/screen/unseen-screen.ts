import { InkStdout, type TerminalSize } from './ink-stdout.ts';
import type { RegionRows } from './screen-rows.ts';
import type { TerminalScreen } from './screen.ts';
import type { Painter } from './painter.ts';

/** Size that the panes are laid out for where nobody sees them: one pane at a time. */
export const unseenSize: TerminalSize = { columns: 80, rows: 24 };

export interface UnseenScreenOptions {
  readonly output: { write(data: string): void; leave(): void };
  /** Called where a drawn screen would be drawn again. */
  readonly repeat: () => void;
}

/**
 * Creates a screen that is laid out and never written: for a screen reader, other code writes lines
 * about what changes on it. Its size does not follow the terminal's.
 */
export function createUnseenScreen(
  options: UnseenScreenOptions,
): TerminalScreen & { readonly painter: Painter } {
  const { output } = options;
  let isPaused = true;
  let pending = '';
  const stdout = new InkStdout(unseenSize, () => {});
  return {
    stdout: stdout.asStream(),
    painter: {
      paint: (_, rows) => paintUnseen(rows),
      placeCursor() {},
      setGround() {},
      afterShown: (action) => queueMicrotask(action),
    },
    link: { isSlow: () => false, subscribe: () => () => {} },
    followFrames: () => ({ shown: () => undefined, unacknowledged: () => [], stop() {} }),
    start() {
      isPaused = false;
    },
    recordAnswer() {},
    repaint: () => options.repeat(),
    writeThrough(bytes) {
      if (isPaused) pending += bytes;
      else output.write(bytes);
    },
    pause() {
      isPaused = true;
    },
    suspend: () => output.leave(),
    resume() {
      isPaused = false;
      if (pending !== '') output.write(pending);
      pending = '';
      options.repeat();
    },
  };
}

/** Reads the rows of a region after each change, because their source records what it laid out. */
function paintUnseen(rows: RegionRows) {
  let isRemoved = false;
  let isScheduled = false;
  const read = (): void => {
    isScheduled = false;
    if (!isRemoved) rows();
  };
  const reportChange = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(read);
  };
  reportChange();
  return {
    reportChange,
    isWritten: () => true,
    remove() {
      isRemoved = true;
    },
  };
}
