import { writeSync } from 'node:fs';
import { TerminalModes } from '../modes.ts';

/** The terminal's output, which can restore the terminal. */
export interface TerminalOutput {
  /** The terminal's stream, for its size and its errors. Modes are never switched on it directly. */
  readonly stdout: NodeJS.WriteStream;
  write(data: string): void;
  /** Restores the terminal for now. */
  leave(): void;
  /**
   * Restores the terminal at once and for good: later output is discarded. Does nothing when called
   * again. Never throws, even if the terminal is gone.
   */
  restore(): void;
}

export interface OutputOptions {
  /** Earlier output to the terminal that switched modes. */
  readonly earlierOutput?: string | undefined;
  /** True when the terminal has a separate screen for programs. */
  readonly alternateScreen: boolean;
}

/** Clears a screen that would otherwise stay between the lines of the shell. */
const clear = '\x1b[H\x1b[2J';
const leaveAlternateScreen = '\x1b[?1049l';

/** Creates the output of a terminal. All output that switches modes must be written to it. */
export function createTerminalOutput(
  stdout: NodeJS.WriteStream & { fd: number },
  { earlierOutput = '', alternateScreen }: OutputOptions,
): TerminalOutput {
  const modes = new TerminalModes();
  modes.observe(earlierOutput);
  let isRestored = false;

  function restoringOutput(): string {
    const undo = modes.undo();
    if (undo === '') return '';
    if (!alternateScreen) return undo + clear;
    // GNU screen has no alternate screen by default, so the rows would stay.
    return undo.includes(leaveAlternateScreen) ? `\x1b[0m${clear}${undo}` : undo;
  }

  function write(data: string): void {
    if (isRestored) return;
    modes.observe(data);
    stdout.write(data);
  }

  return {
    stdout,
    write,
    leave: () => write(restoringOutput()),
    restore() {
      if (isRestored) return;
      isRestored = true;
      writeNow(stdout.fd, restoringOutput());
    },
  };
}

/** Writes synchronously, as the event loop may have ended. Waits up to 0.5 s for a full terminal. */
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
