import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, indexAfter } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import type { LogView } from './view.ts';

/** The one running seek of a log's reader; cancelled as soon as the reader moves. */
export interface LogSeek {
  /** Progress message for the footer; undefined while no seek runs. */
  readonly progress: StoreApi<string | undefined>;
  /** Starts a seek and cancels the running one. `stop` is called when the seek is cancelled. */
  begin(stop: () => void): RunningSeek;
  /** Cancels the running seek. Returns false when none runs. */
  cancel(): boolean;
}

/** A running seek. */
export interface RunningSeek {
  /** Sets the progress message. */
  report(progress: string): void;
  /** Ends the seek without calling `stop`. */
  end(): void;
}

export function createLogSeek({ position }: Pick<LogView, 'position'>): LogSeek {
  const progress = createStore<string | undefined>(() => undefined);
  let stopRunning: (() => void) | undefined;

  function cancel(): boolean {
    const stop = stopRunning;
    stopRunning = undefined;
    progress.setState(undefined, true);
    stop?.();
    return stop !== undefined;
  }

  position.subscribe(cancel);
  return {
    progress,
    cancel,
    begin(stop) {
      cancel();
      stopRunning = stop;
      return {
        report(text) {
          if (stopRunning === stop) progress.setState(text, true);
        },
        end() {
          if (stopRunning !== stop) return;
          stopRunning = undefined;
          progress.setState(undefined, true);
        },
      };
    },
  };
}

/** Milliseconds without progress after which a seek says what it does. */
const slowAfter = 300;

/**
 * Returns the seek, which reports a first message if it has reported no other for a while: an answer of the
 * service may take seconds.
 */
export function reportWhenSlow(
  seek: RunningSeek,
  clock: Pick<Clock, 'after'>,
  message: string,
): RunningSeek {
  const cancel = clock.after(slowAfter, () => seek.report(message));
  return {
    report(progress) {
      cancel();
      seek.report(progress);
    },
    end() {
      cancel();
      seek.end();
    },
  };
}

/** Milliseconds of work between which key presses are handled. */
const sliceTime = 4;
const firstChunk = 32;
const largestChunk = 1024;

export interface NearestLineOptions {
  readonly entries: Entries<LogLine>;
  /** `seq` of the entry next to which the scan starts; undefined for the end of the log. */
  readonly from: number | undefined;
  /** Direction: 1 towards newer lines, -1 towards older ones. */
  readonly step: 1 | -1;
  readonly matches: (text: string) => boolean;
  readonly clock: Clock;
  /** Called after each slice with the number of lines scanned so far. */
  readonly onSlice: (count: number) => void;
  /** Called with the `seq` of the nearest matching line, or undefined when there is none. */
  readonly onEnd: (seq: number | undefined) => void;
}

/** Finds the nearest matching line, in slices. Returns a function that cancels the scan. */
export function findNearestLine({
  entries,
  step,
  matches,
  clock,
  ...options
}: NearestLineOptions): () => void {
  let boundary = options.from;
  let count = 0;
  let chunk = firstChunk;
  let cancel = (): void => {};

  /** Returns the index of the next entry to scan. */
  const startIndex = (): number => {
    if (boundary === undefined) return step < 0 ? entries.length - 1 : entries.length;
    return step < 0 ? entries.indexOf(boundary) - 1 : indexAfter(entries, boundary);
  };

  const findNearest = (from: number, to: number): number | undefined => {
    let found: number | undefined;
    entries.scan(from, to, (index, text) => {
      if ((step > 0 && found !== undefined) || !matches(text)) return;
      found = index;
    });
    return found;
  };

  const run = (): void => {
    const sliceStart = clock.now();
    do {
      const first = startIndex();
      const [from, to] = step > 0 ? [first, first + chunk] : [first + 1 - chunk, first + 1];
      if (first < 0 || first >= entries.length) return options.onEnd(undefined);
      const chunkStart = clock.now();
      const found = findNearest(Math.max(0, from), Math.min(to, entries.length));
      if (found !== undefined) return options.onEnd(entries.at(found)?.seq);
      count += chunk;
      boundary = entries.at(step > 0 ? Math.min(to, entries.length) - 1 : Math.max(0, from))?.seq;
      if (clock.now() - chunkStart < 1) chunk = Math.min(largestChunk, chunk * 2);
    } while (clock.now() - sliceStart < sliceTime);
    options.onSlice(count);
    cancel = clock.after(0, run);
    return undefined;
  };

  run();
  return () => cancel();
}
