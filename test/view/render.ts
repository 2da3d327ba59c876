import { EventEmitter } from 'node:events';
import type { ReactElement } from 'react';
import { render as renderWithInk } from 'ink';
import { FakeInput } from '../terminal/fake-terminal.ts';

/**
 * A terminal that keeps its last frame. It reports its size: of one that does not, Ink asks two programs at
 * each frame.
 */
class FrameOutput extends EventEmitter {
  columns = 100;
  rows = 24;
  lastFrame: string | undefined;

  readonly write = (frame: string): void => {
    this.lastFrame = frame;
  };
}

/** Draws an element on a terminal of 100x24 whose frames are the whole text each. */
export function render(element: ReactElement) {
  const stdout = new FrameOutput();
  const stdin = new FakeInput();
  const { rerender, unmount } = renderWithInk(element, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: new FrameOutput() as unknown as NodeJS.WriteStream,
    stdin: stdin.asStream(),
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return { rerender, unmount, stdout, stdin, lastFrame: () => stdout.lastFrame };
}
