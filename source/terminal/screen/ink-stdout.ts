import { EventEmitter } from 'node:events';

/** Columns and rows of a terminal. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Output of Ink other than frames: modes, and nothing at all to wait for earlier output. */
// eslint-disable-next-line no-control-regex
const noFrame = /^(?:\x1b\[\?\d+[hl])*$/;

/**
 * The output stream of Ink with its option `debug`: each write is a whole frame, its rows joined by
 * line feeds. Modes that Ink switches are discarded, because the screen switches them itself: a
 * paste would be read as keys if Ink turned bracketed paste off for a moment.
 */
export class InkStdout extends EventEmitter implements TerminalSize {
  readonly isTTY = true;
  readonly writable = true;
  #size: TerminalSize;
  readonly #onFrame: (rows: readonly string[]) => void;

  constructor(size: TerminalSize, onFrame: (rows: readonly string[]) => void) {
    super();
    this.#size = size;
    this.#onFrame = onFrame;
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    this.emit('resize');
  }

  write(chunk: string, ...rest: readonly unknown[]): boolean {
    if (!noFrame.test(chunk)) this.#onFrame(chunk.split('\n'));
    const done = rest.find((argument) => typeof argument === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  }

  asStream(): NodeJS.WriteStream {
    return this as unknown as NodeJS.WriteStream;
  }
}
