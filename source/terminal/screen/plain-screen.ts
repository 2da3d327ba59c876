import type { TerminalOutput } from '../link/output.ts';
import type { TerminalScreen } from './screen.ts';

/** What Ink writes when the first and the last `usePaste` comes and goes. */
const pasteModeSwitches = new Set<unknown>(['\x1b[?2004h', '\x1b[?2004l']);

/**
 * A terminal that Ink writes to by itself: for a screen reader, which reads out what is written, and
 * is not helped by cells that change. Bracketed paste stays as `keys` sets it: switched off in
 * between by Ink, a paste would be typed.
 */
export function createPlainScreen(output: TerminalOutput): TerminalScreen {
  const { stdout } = output;
  let away = false;
  let waiting = '';

  function write(chunk: string, ...rest: readonly unknown[]): boolean {
    if (!pasteModeSwitches.has(chunk)) output.write(chunk);
    const done = rest.find((argument) => typeof argument === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  }

  return {
    stdout: new Proxy(stdout, {
      get(target, property) {
        if (property === 'write') return write;
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    painter: undefined,
    link: { isSlow: () => false, subscribe: () => () => {} },
    start() {},
    answered() {},
    // Ink writes the whole text again with the next change.
    repaint() {},
    pass(bytes) {
      if (away) waiting += bytes;
      else output.write(bytes);
    },
    pause() {
      away = true;
    },
    suspend: () => output.leave(),
    resume() {
      away = false;
      output.write(waiting);
      waiting = '';
    },
  };
}
