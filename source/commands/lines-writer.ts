import type { Writable } from 'node:stream';

/** What became of a write. `gone`: nobody reads any more. */
export type Written =
  | { readonly kind: 'done' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly message: string };

/** Lines, each with its line break. Their memory is not changed until they are written. */
export interface WholeLines {
  readonly bytes: Buffer;
  /** Where each ends. */
  readonly ends: readonly number[];
}

/** Writes whole lines, waiting for the reader. */
export interface LinesWriter {
  write(lines: WholeLines): Promise<Written>;
  /** No write is under way that could break off in the middle of a line. */
  isWhole(): boolean;
  stop(): void;
}

/** A pipe takes so many bytes all or not at all (POSIX, PIPE_BUF on Linux). */
const atomic = 4096;

/**
 * Lines go out in pieces that a pipe takes whole, one after the other, so that even a process that is
 * killed leaves no half of a line behind. Only a line that is longer by itself can break off.
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
        // Of a stream that is gone already, a write only says that it is.
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

function outcome({ code, message }: NodeJS.ErrnoException): Written {
  const isGone = code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET';
  return isGone ? { kind: 'gone' } : { kind: 'failed', message };
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
