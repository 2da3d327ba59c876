import type { Clock } from '../time/clock.ts';

/** How far a transfer is. Sizes in bytes; undefined where the service does not say. */
export interface TransferProgress {
  readonly files: number;
  /** Files that are through, whatever became of them. */
  readonly filesDone: number;
  readonly bytes: number | undefined;
  readonly bytesDone: number;
  /** The file that is on its way; of several, the one that was begun last. */
  readonly current: CurrentFile | undefined;
}

export interface CurrentFile {
  readonly path: string;
  readonly bytes: number;
  readonly bytesDone: number;
}

interface Sized {
  readonly path: string;
  readonly size: number;
}

/** The file that the given number of bytes leads into when files are sent one after the other. */
export function fileAt(
  files: readonly Sized[],
  bytes: number,
): { readonly done: number; readonly current: CurrentFile | undefined } {
  let before = 0;
  for (const [done, { path, size }] of files.entries()) {
    if (bytes < before + size) {
      return { done, current: { path, bytes: size, bytesDone: Math.max(0, bytes - before) } };
    }
    before += size;
  }
  return { done: files.length, current: undefined };
}

/** Ms between two reports: no eye sees more. */
const reportEvery = 100;

/** Passes on what is newest, seldom enough to be drawn; what `make` would give is not made else. */
export function pacedReport<Progress = TransferProgress>(
  clock: Clock,
  report: (progress: Progress) => void,
): (make: () => Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (make) => {
    const now = clock.now();
    if (now - last < reportEvery) return;
    last = now;
    report(make());
  };
}
