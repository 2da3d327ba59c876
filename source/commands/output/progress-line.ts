/** A line on the terminal that tells how far a transfer is; it is erased before other output. */
import { formatBytes } from '../../store/files/file-size.ts';
import { cellWidth, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';

/** Reports the bytes so far, and all bytes where they are known only now. */
export type ReportTransfer = (done: number, total?: number) => void;

export interface ProgressLine {
  /** Begins a transfer. Its line appears when it is large, or takes long. */
  begin(label: string, total?: number): ReportTransfer;
  /** Erases the line, if there is one. */
  clear(): void;
}

export interface ProgressLineOptions {
  readonly write: (text: string) => void;
  /** Returns the cells of a row. */
  readonly columns: () => number;
  /** Returns the time in ms since the epoch. */
  readonly now: () => number;
}

/** Bytes from which a transfer is shown at once, and ms after which a smaller one is. */
const largeBytes = 1_000_000;
const longTime = 1000;

/** Milliseconds between two lines. */
const interval = 100;

export function createProgressLine({ write, columns, now }: ProgressLineOptions): ProgressLine {
  let isShown = false;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    begin(label, expected) {
      const startedAt = now();
      shownAt = Number.NEGATIVE_INFINITY;
      return (done, total = expected) => {
        const at = now();
        if ((total ?? done) < largeBytes && at - startedAt < longTime) return;
        if (at - shownAt < interval) return;
        shownAt = at;
        isShown = true;
        const text = progressText(label, { done, total, milliseconds: at - startedAt }, columns());
        write(`\r${text}\u001b[K`);
      };
    },
    clear() {
      if (isShown) write('\r\u001b[K');
      isShown = false;
    },
  };
}

interface Progress {
  readonly done: number;
  readonly total: number | undefined;
  readonly milliseconds: number;
}

/** Returns a line such as `shop/web:a.iso  12.0 MB of 96.0 MB  12%  4.0 MB/s`. */
function progressText(
  label: string,
  { done, total, milliseconds }: Progress,
  columns: number,
): string {
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
  const facts = [
    total === undefined ? formatBytes(done) : `${formatBytes(done)} of ${formatBytes(total)}`,
    ...(share === undefined ? [] : [`${Math.floor(share * 100)}%`]),
    ...(milliseconds < longTime
      ? []
      : [`${formatBytes(Math.round(done / (milliseconds / 1000)))}/s`]),
  ].join('  ');
  // A full row would wrap, and could not be erased.
  const room = columns - 1 - cellWidth(facts) - 2;
  const name = room < 1 ? '' : `${truncateCells(sanitize(label), room)}  `;
  return truncateCells(`${name}${facts}`, Math.max(0, columns - 1));
}
