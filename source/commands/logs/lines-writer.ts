import type { Writable } from 'node:stream';

/** Outcome of a write. `gone`: the reader has closed the pipe. */
export type Written =
  | { readonly kind: 'done' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed' };

/** Lines, each with its line break. Their memory must not change until they are written. */
export interface WholeLines {
  readonly bytes: Buffer;
  /** Offset behind each line. */
  readonly ends: readonly number[];
}

/** Writes complete lines, and waits for the reader. */
export interface LinesWriter {
  write(lines: WholeLines): Promise<Written>;
  /** Whether no write is running that could stop in the middle of a line. */
  isWhole(): boolean;
  stop(): void;
}

/** Bytes that a pipe takes in one piece or not at all (POSIX, PIPE_BUF on Linux). */
const atomic = 4096;

/**
 * Returns a writer that writes lines in pieces of at most PIPE_BUF bytes, one after the other, so that
 * even a killed process leaves no half line. Only a line longer than that can be cut.
 */
export function createLinesWriter(output: Writable): LinesWriter {
  let unsafe = false;
  let failure: Written | undefined;
  const onError = (error: NodeJS.ErrnoException): void => {
    failure ??= outcome(error);
  };
  output.on('error', onError);

  const writePiece = (piece: Buffer): Promise<Written> =>
    new Promise((resolve) => {
      unsafe = piece.length > atomic;
      output.write(piece, (error) => {
        unsafe = false;
        // A write to a stream that failed before reports only that; `errored` has the cause.
        resolve(error ? outcome(output.errored ?? error) : { kind: 'done' });
      });
    });

  return {
    async write(lines) {
      let written: Written = { kind: 'done' };
      for (const piece of pieces(lines)) {
        written = failure ?? (await writePiece(piece));
        if (written.kind !== 'done') break;
      }
      return written;
    },
    isWhole: () => !unsafe,
    stop: () => output.off('error', onError),
  };
}

function outcome({ code }: NodeJS.ErrnoException): Written {
  const isGone = code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET';
  return isGone ? { kind: 'gone' } : { kind: 'failed' };
}

function* pieces({ bytes, ends }: WholeLines): Generator<Buffer> {
  let start = 0;
  let last = 0;
  for (const end of ends) {
    if (last > start && end - start > atomic) {
      yield bytes.subarray(start, last);
      start = last;
    }
    last = end;
  }
  if (last > start) yield bytes.subarray(start, last);
}
