import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../contract/logs.ts';
import type { Entries } from '../tail/entries.ts';

export type { LogLine } from '../contract/logs.ts';
export { gapSentence } from '../tail/gap.ts';
export { levelOf } from '../tail/level.ts';

/** Where the reader of a log stands: with the newest line, or at a line that stays under the eye. */
export type LogPosition =
  | { readonly kind: 'following' }
  | {
      readonly kind: 'frozen';
      /** `seq` of the entry under the cursor. */
      readonly cursor: number;
      /** Lines received before the freeze: the difference is what is new. */
      readonly received: number;
    };

/** The first row of a window on a log. */
export interface LogTop {
  /** Of the entry that the row belongs to. */
  readonly seq: number;
  /** Rows of that entry above the window. */
  readonly skipped: number;
}

export interface LogView {
  readonly position: StoreApi<LogPosition>;
  /** The first row of the window drawn last: it stays first while it can. */
  top(): LogTop | undefined;
  /** Takes note of the window that was drawn. */
  drawn(top: LogTop | undefined): void;
  /** Freezes when following; steps by entries, infinite steps go to the oldest or follow again. */
  move(step: number): void;
  follow(): void;
  /** Freezes with the cursor on an entry; `from` is the first row of the window, where it is given. */
  goTo(seq: number, from?: LogTop): void;
  /** Takes the reader back to where they were. */
  restore(position: LogPosition): void;
  /** Freezes on the newest line, or follows again. */
  toggle(): void;
}

const following: LogPosition = { kind: 'following' };

/**
 * The position one step on. Downwards nothing follows but an infinite step: who reads the last line
 * keeps it while new ones come.
 */
export function movePosition(
  position: LogPosition,
  entries: Entries<LogLine>,
  step: number,
  received: number,
): LogPosition {
  if (step === Number.POSITIVE_INFINITY) return following;
  // Of a filter that hides all, the reader comes back.
  if (entries.length === 0) return position;
  if (position.kind === 'following' && step > 0) return position;
  const last = entries.length - 1;
  const from =
    position.kind === 'following' ? last : Math.min(entries.indexOf(position.cursor), last);
  const entry = entries.at(Math.max(0, Math.min(from + step, last)));
  if (entry === undefined) return following;
  const since = position.kind === 'frozen' ? position.received : received;
  return { kind: 'frozen', cursor: entry.seq, received: since };
}

/** `seq` of the entry under the cursor; undefined while there is none. */
export function cursorOf(position: LogPosition): number | undefined {
  return position.kind === 'frozen' ? position.cursor : undefined;
}

export function createLogView(options: {
  readonly entries: Entries<LogLine>;
  /** Number of lines received so far. */
  readonly received: () => number;
}): LogView {
  const position = createStore<LogPosition>(() => following);
  let top: LogTop | undefined;
  const move = (step: number) => {
    position.setState(
      (before) => movePosition(before, options.entries, step, options.received()),
      true,
    );
  };
  return {
    position,
    top: () => top,
    drawn(next) {
      top = next;
    },
    move,
    goTo(seq, from) {
      if (from !== undefined) top = from;
      const { received } = options;
      position.setState(
        (before) => ({
          kind: 'frozen',
          cursor: seq,
          received: before.kind === 'frozen' ? before.received : received(),
        }),
        true,
      );
    },
    follow: () => position.setState(following, true),
    restore: (before) => position.setState(before, true),
    toggle() {
      if (position.getState().kind === 'frozen') position.setState(following, true);
      else move(0);
    },
  };
}
