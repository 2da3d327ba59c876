import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, Entry } from '../../../tail/arena/entries.ts';

/** Marked lines by the `seq` of their entry, in order; a mark outlives its entry in memory. */
export type Marks = ReadonlyMap<number, LogLine>;

/** The mark to go to. */
export interface MarkStep {
  readonly seq: number;
  readonly line: LogLine;
  /** Position among all marks, from 1 to `count`. */
  readonly number: number;
  readonly count: number;
  /** True when the step went from the newest mark to the oldest. */
  readonly wrapped: boolean;
  /** False when memory has dropped the line, or a filter hides it. */
  readonly isShown: boolean;
}

type LineEntry = Extract<Entry<LogLine>, { kind: 'line' }>;

export class LogMarks {
  readonly state: StoreApi<Marks> = createStore<Marks>(() => new Map());
  readonly #entries: Entries<LogLine>;
  /** The last mark that was not shown, so that the cursor stayed where it was. */
  #lastHidden: { readonly seq: number; readonly cursor: number | undefined } | undefined;

  constructor(entries: Entries<LogLine>) {
    this.#entries = entries;
  }

  /** Marks a line or removes its mark. Returns whether the line is marked now. */
  toggle(entry: LineEntry): boolean {
    const isMarked = isLineMarked(this.state.getState(), entry.seq, entry.line);
    this.#set(entry, !isMarked);
    return !isMarked;
  }

  /** Marks a line that was marked before. */
  restore(entry: LineEntry): void {
    this.#set(entry, true);
  }

  /** Returns the next newer mark from the cursor; undefined without marks. */
  next(cursor: number | undefined): MarkStep | undefined {
    const hidden = this.#lastHidden;
    const from = hidden !== undefined && hidden.cursor === cursor ? hidden.seq : cursor;
    const step = nextMark(this.state.getState(), this.#entries, from);
    this.#lastHidden = step === undefined || step.isShown ? undefined : { seq: step.seq, cursor };
    return step;
  }

  #set({ seq, line }: LineEntry, isMarked: boolean): void {
    const others = [...this.state.getState()].filter(([other]) => other !== seq);
    const all = isMarked ? [...others, [seq, line] as const] : others;
    this.state.setState(new Map(all.toSorted(([left], [right]) => left - right)), true);
  }
}

/**
 * Returns whether the entry is marked; after a renumbering its `seq` may belong to another line.
 */
export function isLineMarked(marks: Marks, seq: number, line: LogLine): boolean {
  const marked = marks.get(seq);
  return marked !== undefined && marked.id === line.id && marked.logLine === line.logLine;
}

/** Returns the first mark after `from`; the oldest mark after the newest, or without `from`. */
export function nextMark(
  marks: Marks,
  entries: Entries<LogLine>,
  from: number | undefined,
): MarkStep | undefined {
  const all = [...marks];
  const next = from === undefined ? -1 : all.findIndex(([seq]) => seq > from);
  const index = Math.max(0, next);
  const [seq, line] = all[index] ?? [];
  if (seq === undefined || line === undefined) return undefined;
  const entry = entries.at(entries.indexOf(seq));
  return {
    seq,
    line,
    number: index + 1,
    count: all.length,
    wrapped: from !== undefined && next === -1,
    isShown: entry?.kind === 'line' && entry.seq === seq && isLineMarked(marks, seq, entry.line),
  };
}
