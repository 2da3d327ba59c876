import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, indexBehind } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import type { LogView } from './view.ts';

/** What the reader of a log waits for: one thing at a time, given up as soon as the reader moves. */
export interface LogSeek {
  /** How far it is, for the row above the keys; undefined while nothing is looked for. */
  readonly progress: StoreApi<string | undefined>;
  /** Begins another search, in place of one that runs. `stop` is called when it is given up. */
  begin(stop: () => void): Seeking;
  /** Gives up what runs; false when nothing does. */
  cancel(): boolean;
}

export interface Seeking {
  say(progress: string): void;
  /** It has come to its end: nothing is to be stopped any more. */
  end(): void;
}

export function createLogSeek({ position }: Pick<LogView, 'position'>): LogSeek {
  const progress = createStore<string | undefined>(() => undefined);
  let stopCurrent: (() => void) | undefined;

  function cancel(): boolean {
    const stop = stopCurrent;
    stopCurrent = undefined;
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
      stopCurrent = stop;
      return {
        say(text) {
          if (stopCurrent === stop) progress.setState(text, true);
        },
        end() {
          if (stopCurrent !== stop) return;
          stopCurrent = undefined;
          progress.setState(undefined, true);
        },
      };
    },
  };
}

/** Milliseconds after which keys have their turn. */
const slice = 4;
const firstChunk = 32;
const largestChunk = 1024;

export interface LineScan {
  readonly entries: Entries<LogLine>;
  /** `seq` that is started behind, or before; the newest end without one. */
  readonly from: number | undefined;
  /** Towards newer lines, or older ones. */
  readonly step: 1 | -1;
  readonly matches: (text: string) => boolean;
  readonly clock: Clock;
  /** Lines looked at so far, after each slice. */
  readonly onSlice: (count: number) => void;
  /** `seq` of the nearest line that matches. */
  readonly onEnd: (seq: number | undefined) => void;
}

/** Looks for the nearest line that matches, in slices. The returned function gives it up. */
export function scanLines({ entries, step, matches, clock, ...options }: LineScan): () => void {
  let edge = options.from;
  let count = 0;
  let chunk = firstChunk;
  let cancel = (): void => {};

  /** Index of the first entry of what is still to be looked at, towards the step. */
  const start = (): number => {
    if (edge === undefined) return step < 0 ? entries.length - 1 : entries.length;
    return step < 0 ? entries.indexOf(edge) - 1 : indexBehind(entries, edge);
  };

  const nearest = (from: number, to: number): number | undefined => {
    let found: number | undefined;
    entries.scan(from, to, (index, text) => {
      if ((step > 0 && found !== undefined) || !matches(text)) return;
      found = index;
    });
    return found;
  };

  const run = (): void => {
    const began = clock.now();
    do {
      const first = start();
      const [from, to] = step > 0 ? [first, first + chunk] : [first + 1 - chunk, first + 1];
      if (first < 0 || first >= entries.length) return options.onEnd(undefined);
      const chunkBegan = clock.now();
      const found = nearest(Math.max(0, from), Math.min(to, entries.length));
      if (found !== undefined) return options.onEnd(entries.at(found)?.seq);
      count += chunk;
      edge = entries.at(step > 0 ? Math.min(to, entries.length) - 1 : Math.max(0, from))?.seq;
      if (clock.now() - chunkBegan < 1) chunk = Math.min(largestChunk, chunk * 2);
    } while (clock.now() - began < slice);
    options.onSlice(count);
    cancel = clock.after(0, run);
    return undefined;
  };

  run();
  return () => cancel();
}
