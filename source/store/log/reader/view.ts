import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import type { PinnedEntries } from './pinned.ts';
import type { LogRange } from './slices.ts';

export type { LogLine } from '../../../contract/logs.ts';
export { withoutColours } from '../../../tail/colour-codes.ts';
export { gapSentence } from '../../../tail/arena/gap.ts';
export { levelOf } from '../../../tail/level.ts';

/** Where the reader of a log stands: with the newest line, or at a line that stays under the eye. */
export type LogPosition =
  | { readonly kind: 'following' }
  | {
      readonly kind: 'frozen';
      /** `seq` of the entry under the cursor. */
      readonly cursor: number;
      /** Lines received before the freeze: the difference is what is new. */
      readonly received: number;
      /** `seq` of the entry where what is selected begins: it ends at the cursor, or the other way. */
      readonly anchor?: number;
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
  /**
   * Freezes when following; steps by entries, infinite steps go to the oldest or follow again. What
   * is selected grows or shrinks with it, as far as the newest entry.
   */
  move(step: number): void;
  follow(): void;
  /** Freezes with the cursor on an entry; `from` is the first row of the window, where it is given. */
  goTo(seq: number, from?: LogTop): void;
  /** Takes the reader back to where they were. */
  restore(position: LogPosition): void;
  /** Selects from the cursor on; ends that when something is selected. */
  select(): void;
  /** What is selected, while the entries keep their numbers. */
  selection(): LogRange | undefined;
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
  const { anchor } = position.kind === 'frozen' ? position : {};
  if (step === Number.POSITIVE_INFINITY && anchor === undefined) return following;
  // Of a filter that hides all, the reader comes back.
  if (entries.length === 0) return position;
  if (position.kind === 'following' && step > 0) return position;
  const last = entries.length - 1;
  const from =
    position.kind === 'following' ? last : Math.min(entries.indexOf(position.cursor), last);
  const entry = entries.at(Math.max(0, Math.min(from + step, last)));
  if (entry === undefined) return following;
  const since = position.kind === 'frozen' ? position.received : received;
  return {
    kind: 'frozen',
    cursor: entry.seq,
    received: since,
    ...(anchor === undefined ? {} : { anchor }),
  };
}

/** The first and the last entry that are selected, by their `seq`; undefined when nothing is. */
function selectedRange(position: LogPosition): LogRange | undefined {
  if (position.kind === 'following' || position.anchor === undefined) return undefined;
  const { anchor, cursor } = position;
  return { first: Math.min(anchor, cursor), last: Math.max(anchor, cursor) };
}

function withSelection(position: LogPosition): LogPosition {
  return position.kind === 'following' ? position : { ...position, anchor: position.cursor };
}

function withoutSelection(position: LogPosition): LogPosition {
  if (position.kind === 'following' || position.anchor === undefined) return position;
  const { anchor: _, ...plain } = position;
  return plain;
}

/** `seq` of the entry under the cursor; undefined while there is none. */
export function cursorSeq(position: LogPosition): number | undefined {
  return position.kind === 'frozen' ? position.cursor : undefined;
}

export function createLogView(options: {
  /** Those around the cursor are held, where they can be. */
  readonly entries: Entries<LogLine> & Partial<Pick<PinnedEntries, 'hold' | 'release'>>;
  /** Number of lines received so far. */
  readonly received: () => number;
}): LogView {
  const { entries } = options;
  const position = createStore<LogPosition>(() => following);
  let top: LogTop | undefined;
  let selectedIn = 0;
  const selection = () =>
    selectedIn === entries.epoch ? selectedRange(position.getState()) : undefined;
  /** What was selected before the entries got other numbers is nothing any more. */
  const dropVoid = () => {
    if (selection() === undefined) position.setState(withoutSelection, true);
  };
  const move = (step: number) => {
    dropVoid();
    position.setState((before) => movePosition(before, entries, step, options.received()), true);
  };
  const pin = (now: LogPosition) => {
    if (now.kind === 'frozen') entries.hold?.(now.cursor);
    else entries.release?.();
  };
  position.subscribe(pin);
  return {
    position,
    top: () => top,
    drawn(next) {
      top = next;
      pin(position.getState());
    },
    move,
    follow() {
      if (selection() === undefined) position.setState(following, true);
      else move(Number.POSITIVE_INFINITY);
    },
    select() {
      if (position.getState().kind === 'following') move(0);
      dropVoid();
      position.setState(selection() === undefined ? withSelection : withoutSelection, true);
      selectedIn = entries.epoch;
    },
    selection,
    goTo(seq, from) {
      if (from !== undefined) top = from;
      position.setState(
        (before) =>
          before.kind === 'frozen'
            ? { ...before, cursor: seq }
            : { kind: 'frozen', cursor: seq, received: options.received() },
        true,
      );
    },
    restore: (before) => position.setState(before, true),
    toggle() {
      if (position.getState().kind === 'frozen') position.setState(following, true);
      else move(0);
    },
  };
}
