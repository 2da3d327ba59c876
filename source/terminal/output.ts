import { TerminalModes } from './modes.ts';

/** What Ink writes when the first and the last `usePaste` comes and goes. */
const pasteModeSwitches = new Set<unknown>(['\x1b[?2004h', '\x1b[?2004l']);

/** The terminal's output: what Ink gets as its stdout, and what must be undone at the end. */
export interface TerminalOutput {
  /** For Ink's `stdout` option: the real stream, but bracketed paste is not Ink's to switch. */
  readonly stdout: NodeJS.WriteStream;
  /** The real stream's descriptor, for a last write when the event loop has ended. */
  readonly fd: number;
  write(data: string): void;
  /** What to write to leave the terminal as it was found; empty when nothing is switched on. */
  undo(): string;
}

/**
 * Watches over a terminal's output. Everything that switches modes must be written through it.
 * Bracketed paste stays as `keys` sets it: switched off in between by Ink, a paste would be typed.
 */
export function createOutput(real: NodeJS.WriteStream & { fd: number }): TerminalOutput {
  const modes = new TerminalModes();

  function write(...[chunk, ...rest]: Parameters<typeof real.write>): boolean {
    if (pasteModeSwitches.has(chunk)) {
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
    fd: real.fd,
    write(data) {
      modes.observe(data);
      real.write(data);
    },
    undo: () => modes.undo(),
  };
}
