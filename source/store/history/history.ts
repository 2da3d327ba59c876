import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorCode } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import type { Tone } from '../prompts/tone.ts';
/** Entries that are kept; the oldest go. */
const mostEntries = 2000;

/** Code units kept of any one text: names and messages may be as long as a service likes. */
const longestText = 4096;

/** A request that changes something on the service. Sizes only: contents are nobody's to keep. */
export interface Write {
  /** The operation's title, e.g. `update file`. */
  readonly operation: string;
  /** What it acts on, by the names it had then: `shop/web config/app.yaml`. */
  readonly subject: string;
  /** `PUT /api/v1/...`, below the base URL. */
  readonly request: string;
  /** Bytes of content that were sent; undefined where there are none to count. */
  readonly size?: number | undefined;
}

/** What came of a write. Texts of the service are unsanitised. */
export type Outcome =
  | { readonly kind: 'sending' }
  | { readonly kind: 'done'; readonly status?: number | undefined }
  | {
      /** `unknown`: it may have happened although no answer came. */
      readonly kind: 'failed' | 'unknown';
      readonly status?: number | undefined;
      readonly code?: ErrorCode | undefined;
      readonly sentence: string;
      /** What the service itself said. */
      readonly said?: string | undefined;
    };

export interface WriteEntry extends Write {
  readonly kind: 'write';
  readonly id: number;
  /** When it was sent, ms since the epoch. */
  readonly at: number;
  /** Ms until its outcome; undefined while it is under way. */
  readonly took: number | undefined;
  readonly outcome: Outcome;
}

export interface MessageEntry {
  readonly kind: 'message';
  readonly id: number;
  /** When it was said last. */
  readonly at: number;
  readonly text: string;
  readonly tone: Tone;
  /** How often it was said with nothing else in between. */
  readonly times: number;
}

export type HistoryEntry = WriteEntry | MessageEntry;

/** Tells what came of a write, and what is only known then. */
export type Settle = (outcome: Outcome, more?: Partial<Write>) => void;

/** What was done and said since the start, in memory. */
export interface History {
  /** Oldest first. An entry is another object whenever something in it is another. */
  readonly entries: StoreApi<readonly HistoryEntry[]>;
  said(text: string, tone: Tone): void;
  /** Notes a write that is being sent; what it gives is called once, with what came of it. */
  sending(write: Write): Settle;
  /** Resolves when all that was sent has come to something, or when `limit` ms are over. */
  settled(limit: number): Promise<void>;
}

export function createHistory({
  clock,
  most = mostEntries,
}: {
  readonly clock: Clock;
  readonly most?: number;
}): History {
  const entries = createStore<readonly HistoryEntry[]>(() => []);
  let count = 0;
  let underWay = 0;
  const waiting = new Set<() => void>();

  function append(entry: HistoryEntry): void {
    entries.setState((all) => [...all.slice(Math.max(0, all.length + 1 - most)), entry], true);
  }

  function replace(entry: HistoryEntry): void {
    const all = entries.getState();
    const index = all.findLastIndex(({ id }) => id === entry.id);
    // So much was said meanwhile that it is gone: what came of it is worth a row all the same.
    if (index === -1) append(entry);
    else entries.setState(all.with(index, entry), true);
  }

  return {
    entries,
    said(words, tone) {
      const text = words.slice(0, longestText);
      const at = clock.now();
      const last = entries.getState().at(-1);
      if (last?.kind === 'message' && last.text === text && last.tone === tone) {
        return replace({ ...last, at, times: last.times + 1 });
      }
      append({ kind: 'message', id: (count += 1), at, text, tone, times: 1 });
    },
    sending(write) {
      const at = clock.now();
      const begun: WriteEntry = {
        ...bounded(write),
        kind: 'write',
        id: (count += 1),
        at,
        took: undefined,
        outcome: { kind: 'sending' },
      };
      append(begun);
      underWay += 1;
      return (outcome, more = {}) => {
        underWay -= 1;
        // Who sent it has its turn first: it may have a draft to remove.
        if (underWay === 0) for (const finish of waiting) clock.after(0, finish);
        const took = Math.max(0, clock.now() - at);
        replace({ ...begun, ...bounded({ ...begun, ...more }), took, outcome });
      };
    },
    settled(limit) {
      if (underWay === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const finish = (): void => {
          cancel();
          waiting.delete(finish);
          resolve();
        };
        const cancel = clock.after(limit, finish);
        waiting.add(finish);
      });
    },
  };
}

function bounded({ operation, subject, request, size }: Write): Write {
  return {
    operation,
    subject: subject.slice(0, longestText),
    request: request.slice(0, longestText),
    size,
  };
}
