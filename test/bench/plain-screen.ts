import type { TerminalOutput } from '../../source/terminal/link/output.ts';
import type { TerminalScreen } from '../../source/terminal/screen/screen.ts';

/** Output of Ink when the first `usePaste` mounts and when the last one unmounts. */
const pasteModeSwitches = new Set<unknown>(['\x1b[?2004h', '\x1b[?2004l']);

/**
 * Creates a screen on which Ink writes directly. Ink's switches of bracketed paste are discarded, as
 * the keyboard sets that mode.
 */
export function createPlainScreen(output: TerminalOutput): TerminalScreen {
  const { stdout } = output;
  let isPaused = false;
  let pending = '';

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
    followFrames: () => ({ shown: () => undefined, unacknowledged: () => [], stop() {} }),
    start() {},
    recordAnswer() {},
    // Ink writes the whole text again on the next change.
    repaint() {},
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
      output.write(pending);
      pending = '';
    },
  };
}
