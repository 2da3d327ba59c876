import { writeSync } from 'node:fs';
import { TerminalModes } from '../modes.ts';

/** The terminal's output, and the way back to how it was found. */
export interface TerminalOutput {
  /** The terminal itself, for its size and its errors; what switches modes is not written here. */
  readonly stdout: NodeJS.WriteStream;
  write(data: string): void;
  /** Leaves the terminal as it was found, for now. */
  leave(): void;
  /**
   * Leaves it so at once and for good: what is written later goes nowhere. Does nothing when called
   * again. Never throws; a terminal that is gone needs no restoring.
   */
  restore(): void;
}

export interface OutputOptions {
  /** What was written to the terminal before, as far as it switched modes. */
  readonly written?: string | undefined;
  /** The terminal has a screen for programs, and goes back to the shell's by itself. */
  readonly alternateScreen: boolean;
}

/** Where what was drawn would stay between the lines of the shell, it is cleared. */
const clear = '\x1b[H\x1b[2J';
const leaveAlternateScreen = '\x1b[?1049l';

/** Watches over a terminal's output. Everything that switches modes must be written through it. */
export function createOutput(
  stdout: NodeJS.WriteStream & { fd: number },
  { written = '', alternateScreen }: OutputOptions,
): TerminalOutput {
  const modes = new TerminalModes();
  modes.observe(written);
  let restored = false;

  function farewell(): string {
    const undo = modes.undo();
    if (undo === '') return '';
    if (!alternateScreen) return undo + clear;
    // GNU screen, unless told otherwise, has none for programs: the picture would stay.
    return undo.includes(leaveAlternateScreen) ? `\x1b[0m${clear}${undo}` : undo;
  }

  function write(data: string): void {
    if (restored) return;
    modes.observe(data);
    stdout.write(data);
  }

  return {
    stdout,
    write,
    leave: () => write(farewell()),
    restore() {
      if (restored) return;
      restored = true;
      writeNow(stdout.fd, farewell());
    },
  };
}

/** Writes past the event loop, which may have ended. A full terminal gets a little time to drain. */
function writeNow(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  for (let attempt = 0; written < bytes.length && attempt < 50; attempt++) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
