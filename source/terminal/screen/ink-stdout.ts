import { EventEmitter } from 'node:events';

/** Columns and rows of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What Ink writes besides frames: nothing at all, to wait for what came before, and modes. */
// eslint-disable-next-line no-control-regex
const noFrame = /^(?:\x1b\[\?\d+[hl])*$/;

/**
 * The terminal that Ink writes to, with its option `debug`: each write is a whole frame, its rows
 * joined by line feeds. The modes it switches are the screen's business, so they go nowhere:
 * bracketed paste switched off for a moment, a paste would be typed.
 */
export class InkStdout extends EventEmitter implements Size {
  readonly isTTY = true;
  readonly writable = true;
  #size: Size;
  readonly #onFrame: (rows: readonly string[]) => void;

  constructor(size: Size, onFrame: (rows: readonly string[]) => void) {
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

  resize(size: Size): void {
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
