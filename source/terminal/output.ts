import { writeSync } from 'node:fs';
import { TerminalModes } from './modes.ts';

/** What Ink writes when the first and the last `usePaste` comes and goes. */
const pasteModeSwitches = new Set<unknown>(['\x1b[?2004h', '\x1b[?2004l']);

const alternateScreen = '\x1b[?1049h';

/** The terminal's output: what Ink gets as its stdout, and the way back to how it was found. */
export interface TerminalOutput {
  /** For Ink's `stdout` option: the real stream, but bracketed paste is not Ink's to switch. */
  readonly stdout: NodeJS.WriteStream;
  write(data: string): void;
  /**
   * Leaves the terminal as it was found, at once and for good: what is written later goes nowhere.
   * Does nothing when called again. Never throws; a terminal that is gone needs no restoring.
   */
  restore(): void;
}

/**
 * Watches over a terminal's output. Everything that switches modes must be written through it.
 * Bracketed paste stays as `keys` sets it: switched off in between by Ink, a paste would be typed.
 * The alternate screen is not entered twice: that would clear what stands there.
 * @param written what was written to the terminal before, as far as it switched modes.
 */
export function createOutput(
  real: NodeJS.WriteStream & { fd: number },
  written = '',
): TerminalOutput {
  const modes = new TerminalModes();
  modes.observe(written);
  let restored = false;

  function write(...[chunk, ...rest]: Parameters<typeof real.write>): boolean {
    if (
      restored ||
      pasteModeSwitches.has(chunk) ||
      (chunk === alternateScreen && modes.isOn('1049'))
    ) {
      const done = rest.find((argument) => typeof argument === 'function');
      if (done !== undefined) process.nextTick(done);
      return true;
    }
    modes.observe(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1'));
    return real.write(chunk, ...rest);
  }

  return {
    stdout: new Proxy(real, {
      get(target, property) {
        if (property === 'write') return write;
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    write(data) {
      if (restored) return;
      modes.observe(data);
      real.write(data);
    },
    restore() {
      if (restored) return;
      restored = true;
      writeNow(real.fd, modes.undo());
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
