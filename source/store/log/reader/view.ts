import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, seqAt } from '../../../tail/arena/entries.ts';
import type { Shown } from '../../../tail/arena/trim.ts';
import type { LogRange } from './slices.ts';

/** Position of a log's reader: following the newest line, or frozen at an entry. */
export type LogPosition =
  | { readonly kind: 'following' }
  | {
      readonly kind: 'frozen';
      /** `seq` of the entry under the cursor. */
      readonly cursor: number;
      /** Lines received before the freeze, from which the number of new lines is calculated. */
      readonly received: number;
      /** `seq` of the other end of the selection; one end is the cursor. */
      readonly anchor?: number;
    };

/** The first row of the viewport of a log. */
export interface ViewportTop {
  /** `seq` of the entry that the row belongs to. */
  readonly seq: number;
  /** Rows of that entry above the viewport. */
  readonly skipped: number;
}

const following: LogPosition = { kind: 'following' };

/**
 * Returns the position after a step. Only an infinite step starts following: a cursor on the last
 * line stays there while new lines arrive.
 */
export function stepPosition(
  position: LogPosition,
  entries: Entries<LogLine>,
  step: number,
  received: number,
): LogPosition {
  const { anchor } = position.kind === 'frozen' ? position : {};
  if (step === Number.POSITIVE_INFINITY && anchor === undefined) return following;
  // Keep the position if a filter hides all entries, so that the reader returns to it later.
  if (entries.length === 0) return position;
  if (position.kind === 'following' && step > 0) return position;
  const last = entries.length - 1;
  const from =
    position.kind === 'following' ? last : Math.min(entries.indexOf(position.cursor), last);
  const entry = entries.at(Math.max(0, Math.min(from + step, last)));
  if (entry === undefined) return following;
  const receivedAtFreeze = position.kind === 'frozen' ? position.received : received;
  return {
    kind: 'frozen',
    cursor: entry.seq,
    received: receivedAtFreeze,
    ...(anchor === undefined ? {} : { anchor }),
  };
}

/** Returns the selected range; undefined when nothing is selected. */
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

/** Returns the `seq` of the entry under the cursor; undefined while following. */
export function cursorSeq(position: LogPosition): number | undefined {
  return position.kind === 'frozen' ? position.cursor : undefined;
}

/** Entries that are kept on each side of the cursor, more than a screen, and those that pass a filter. */
const keptAround = 512;
const filteredAround = 128;
/** Most entries of a selection that passes a filter. */
const mostFiltered = 4096;
/** The last level with the whole window. */
const windowLevel = 8;

/**
 * Returns what memory is to keep for a paused reader: the window, the selection, and the lines around the
 * cursor, with those between that a filter hides, since it may be removed.
 * @param filtered the entries that pass the filter; undefined without one.
 * @param level see {@link ShownAt}.
 */
export function shownEntries(
  view: Pick<LogView, 'position' | 'top'>,
  log: Entries<LogLine>,
  filtered: Entries<LogLine> | undefined,
  level: number,
): Shown | undefined {
  const position = view.position.getState();
  if (position.kind === 'following') return undefined;
  const { cursor, anchor } = position;
  const range = (entries: Entries<LogLine>, around: number, most: number) => {
    const at = entries.indexOf(cursor);
    const end = level === 0 && anchor !== undefined ? entries.indexOf(anchor) : at;
    const top = Math.min(at, entries.indexOf(view.top()?.seq ?? cursor));
    const start = at - ((at - top) >> Math.max(0, level - windowLevel));
    const from = Math.max(Math.min(at - around, start, end), at - most, 0);
    const to = Math.min(Math.max(at + around, end), at + most, entries.length - 1);
    return { from, to };
  };
  const around = keptAround >> level;
  const others = new Set<number>();
  if (filtered !== undefined) {
    const { from, to } = range(filtered, Math.min(filteredAround, around), mostFiltered);
    for (let index = from; index <= to; index += 1) others.add(seqAt(filtered, index) ?? cursor);
  }
  const { from, to } = range(log, around, filtered === undefined ? log.length : around);
  return { from: seqAt(log, from) ?? cursor, to: seqAt(log, to) ?? cursor, others };
}

/** The position of the reader of a log: following or paused, with the cursor and a selection. */
export class LogView {
  readonly position: StoreApi<LogPosition> = createStore<LogPosition>(() => following);
  readonly #entries: Entries<LogLine>;
  readonly #received: () => number;
  readonly #widened: (range: LogRange) => LogRange;
  #top: ViewportTop | undefined;
  #selectionEpoch = 0;

  constructor(options: {
    readonly entries: Entries<LogLine>;
    /** Returns the number of lines received so far. */
    readonly received: () => number;
    /** Returns a selection with whole runs of folded lines at its ends. */
    readonly widened?: ((range: LogRange) => LogRange) | undefined;
  }) {
    this.#entries = options.entries;
    this.#received = options.received;
    this.#widened = options.widened ?? ((range) => range);
  }

  /** Returns the first row of the last frame, which stays first while it can. */
  top(): ViewportTop | undefined {
    return this.#top;
  }

  /** Records the first row of a frame. */
  recordTop(top: ViewportTop | undefined): void {
    this.#top = top;
  }

  /**
   * Freezes the view and moves the cursor by entries; an infinite step goes to the oldest entry or
   * follows again. A selection grows or shrinks, at most to the newest entry.
   */
  move(step: number): void {
    this.#dropStaleSelection();
    const move = (before: LogPosition) =>
      stepPosition(before, this.#entries, step, this.#received());
    this.position.setState(move, true);
  }

  follow(): void {
    if (this.selection() === undefined) this.position.setState(following, true);
    else this.move(Number.POSITIVE_INFINITY);
  }

  /** Freezes with the cursor on an entry. @param from first row of the viewport. */
  goTo(seq: number, from?: ViewportTop): void {
    if (from !== undefined) this.#top = from;
    const before = this.position.getState();
    const start = before.kind === 'frozen' ? before : this.#frozen(seq);
    this.position.setState({ ...start, cursor: seq }, true);
  }

  /** Returns the reader to an earlier position. */
  restore(position: LogPosition): void {
    this.position.setState(position, true);
  }

  /** Starts a selection at the cursor, or removes the current selection. */
  toggleSelection(): void {
    if (this.position.getState().kind === 'following') this.move(0);
    this.#dropStaleSelection();
    const isSelected = this.selection() !== undefined;
    this.position.setState(isSelected ? withoutSelection : withSelection, true);
    this.#selectionEpoch = this.#entries.epoch;
  }

  /** Freezes with the lines between two entries selected, and the cursor on the second one. */
  select(anchor: number, cursor: number): void {
    this.position.setState({ ...this.#frozen(cursor), anchor }, true);
    this.#selectionEpoch = this.#entries.epoch;
  }

  /** Returns the selection; undefined after the entries were renumbered. */
  selection(): LogRange | undefined {
    if (this.#selectionEpoch !== this.#entries.epoch) return undefined;
    const range = selectedRange(this.position.getState());
    return range && this.#widened(range);
  }

  /** Freezes on the newest line, or follows again. */
  toggleFreeze(): void {
    if (this.position.getState().kind === 'frozen') this.restore(following);
    else this.move(0);
  }

  #frozen(cursor: number): Extract<LogPosition, { kind: 'frozen' }> {
    return { kind: 'frozen', cursor, received: this.#received() };
  }

  /** Removes a selection that a renumbering of the entries made invalid. */
  #dropStaleSelection(): void {
    if (this.selection() === undefined) this.position.setState(withoutSelection, true);
  }
}
