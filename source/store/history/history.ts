import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorCode } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import type { Tone } from '../prompts/tone.ts';

/** Largest number of entries; older entries are dropped. */
const maxEntries = 2000;

/** Longest stored text in code units; the service's names and messages have no limit. */
const maxTextLength = 4096;

/** A request that changes something on the service. Its content is never stored, only the size. */
export interface Write {
  /** Title of the operation, e.g. `update file`. */
  readonly operation: string;
  /** Target by its names at the time of the request: `shop/web config/app.yaml`. */
  readonly subject: string;
  /** Method and path below the base URL: `PUT /api/v1/...`. */
  readonly request: string;
  /** Bytes of sent content; undefined for requests without content. */
  readonly size?: number | undefined;
}

/** The outcome of a write. Texts of the service are unsanitised. */
export type Outcome =
  | { readonly kind: 'sending' }
  | { readonly kind: 'done'; readonly status?: number | undefined }
  | {
      /** `unknown`: no answer came, and the write may have happened. */
      readonly kind: 'failed' | 'unknown';
      readonly status?: number | undefined;
      readonly code?: ErrorCode | undefined;
      readonly sentence: string;
      /** The service's error message. */
      readonly said?: string | undefined;
    };

export interface WriteEntry extends Write {
  readonly kind: 'write';
  readonly id: number;
  /** Time of the request, ms since the epoch. */
  readonly at: number;
  /** Milliseconds until the outcome; undefined while the request is in flight. */
  readonly took: number | undefined;
  readonly outcome: Outcome;
}

export interface MessageEntry {
  readonly kind: 'message';
  readonly id: number;
  /** Time of the last repetition, ms since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly tone: Tone;
  /** Number of repetitions without another entry in between. */
  readonly times: number;
}

export type HistoryEntry = WriteEntry | MessageEntry;

/** Reports the outcome of a write, with fields of the write that are only known afterwards. */
export type Settle = (outcome: Outcome, more?: Partial<Write>) => void;

/** The writes and messages since the start, in memory. */
export interface History {
  /** Entries, oldest first; a changed entry is a new object. */
  readonly entries: StoreApi<readonly HistoryEntry[]>;
  /** Adds a message. */
  said(text: string, tone: Tone): void;
  /** Adds a write in flight; the returned function must be called once with its outcome. */
  sending(write: Write): Settle;
  /** Resolves when every write has an outcome, at the latest after `limit` ms. */
  settled(limit: number): Promise<void>;
}

/** Creates a history of at most `most` entries, which begins with `earlier` ones. */
export function createHistory({
  clock,
  most = maxEntries,
  earlier = [],
}: {
  readonly clock: Clock;
  readonly most?: number;
  /** Entries of another console, oldest first; their ids are numbers from 1 on. */
  readonly earlier?: readonly HistoryEntry[] | undefined;
}): History {
  const entries = createStore<readonly HistoryEntry[]>(() => earlier);
  let lastId = earlier.length;
  let inFlight = 0;
  const settledCallbacks = new Set<() => void>();

  function append(entry: HistoryEntry): void {
    entries.setState((all) => [...all.slice(Math.max(0, all.length + 1 - most)), entry], true);
  }

  function replace(entry: HistoryEntry): void {
    const all = entries.getState();
    const index = all.findLastIndex(({ id }) => id === entry.id);
    // The entry was dropped meanwhile; its outcome is still worth a row.
    if (index === -1) append(entry);
    else entries.setState(all.with(index, entry), true);
  }

  return {
    entries,
    said(message, tone) {
      const text = message.slice(0, maxTextLength);
      const at = clock.now();
      const last = entries.getState().at(-1);
      if (last?.kind === 'message' && last.text === text && last.tone === tone) {
        return replace({ ...last, at, times: last.times + 1 });
      }
      append({ kind: 'message', id: (lastId += 1), at, text, tone, times: 1 });
    },
    sending(write) {
      const at = clock.now();
      const entry: WriteEntry = {
        ...truncated(write),
        kind: 'write',
        id: (lastId += 1),
        at,
        took: undefined,
        outcome: { kind: 'sending' },
      };
      append(entry);
      inFlight += 1;
      return (outcome, more = {}) => {
        inFlight -= 1;
        // The sender runs first, because it may have a draft to remove.
        if (inFlight === 0) for (const finish of settledCallbacks) clock.after(0, finish);
        const took = Math.max(0, clock.now() - at);
        replace({ ...entry, ...truncated({ ...entry, ...more }), took, outcome });
      };
    },
    settled(limit) {
      if (inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const finish = (): void => {
          cancel();
          settledCallbacks.delete(finish);
          resolve();
        };
        const cancel = clock.after(limit, finish);
        settledCallbacks.add(finish);
      });
    },
  };
}

function truncated({ operation, subject, request, size }: Write): Write {
  return {
    operation,
    subject: subject.slice(0, maxTextLength),
    request: request.slice(0, maxTextLength),
    size,
  };
}
