import type { Clock } from '../time/clock.ts';

/** Progress of a transfer. Sizes are in bytes; undefined if the service does not report them. */
export interface TransferProgress {
  readonly files: number;
  /** Files that are finished, with any outcome. */
  readonly filesDone: number;
  readonly bytes: number | undefined;
  readonly bytesDone: number;
  /** The current file; of several, the one that started last. */
  readonly current: CurrentFile | undefined;
}

export interface CurrentFile {
  readonly path: string;
  readonly bytes: number;
  readonly bytesDone: number;
}

interface SizedFile {
  readonly path: string;
  readonly size: number;
}

/** Returns the current file after so many bytes of files that are sent one after the other. */
export function progressAt(
  files: readonly SizedFile[],
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

/** Milliseconds between two reports. */
const reportInterval = 100;

/** Limits reports to one per interval; `make` is called only for a report that is passed on. */
export function throttleReports<Progress = TransferProgress>(
  clock: Clock,
  report: (progress: Progress) => void,
): (make: () => Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (make) => {
    const now = clock.now();
    if (now - last < reportInterval) return;
    last = now;
    report(make());
  };
}
