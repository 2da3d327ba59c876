import { createStore, type StoreApi } from 'zustand/vanilla';
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
