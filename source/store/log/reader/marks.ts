import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, Entry } from '../../../tail/arena/entries.ts';

/** Marked lines by the `seq` of their entry, in its order; kept also when memory drops the entry. */
export type Marks = ReadonlyMap<number, LogLine>;

/** The mark that is gone to. */
export interface MarkStep {
  readonly seq: number;
  readonly line: LogLine;
  /** From 1, of `count`. */
  readonly number: number;
  readonly count: number;
  /** From the newest mark on, the oldest follows. */
  readonly wrapped: boolean;
  /** Whether the line can be gone to: it may have left memory, or be hidden by a filter. */
  readonly isShown: boolean;
}

export interface LogMarks {
  readonly state: StoreApi<Marks>;
  /** Marks a line or takes its mark away; true when it is marked now. */
  toggle(entry: Extract<Entry<LogLine>, { kind: 'line' }>): boolean;
  /** The next newer mark from the cursor; undefined without marks. */
  next(cursor: number | undefined): MarkStep | undefined;
}

export function createLogMarks(entries: Entries<LogLine>): LogMarks {
  const state = createStore<Marks>(() => new Map());
  /** A mark that could only be told of: the cursor stayed where it was. */
  let told: { readonly seq: number; readonly cursor: number | undefined } | undefined;
  return {
    state,
    toggle({ seq, line }) {
      const others = [...state.getState()].filter(([other]) => other !== seq);
      const isMarked = isMarkedIn(state.getState(), seq, line);
      const all = isMarked ? others : [...others, [seq, line] as const];
      state.setState(new Map(all.toSorted(([left], [right]) => left - right)), true);
      return !isMarked;
    },
    next(cursor) {
      const from = told !== undefined && told.cursor === cursor ? told.seq : cursor;
      const step = nextMark(state.getState(), entries, from);
      told = step === undefined || step.isShown ? undefined : { seq: step.seq, cursor };
      return step;
    },
  };
}

/** Whether the entry is marked: its number may have become that of another line. */
export function isMarkedIn(marks: Marks, seq: number, line: LogLine): boolean {
  const marked = marks.get(seq);
  return marked !== undefined && marked.id === line.id && marked.logLine === line.logLine;
}

/** The first mark behind `from`; from the newest on, or without a place, the oldest. */
export function nextMark(
  marks: Marks,
  entries: Entries<LogLine>,
  from: number | undefined,
): MarkStep | undefined {
  const all = [...marks];
  const behind = from === undefined ? -1 : all.findIndex(([seq]) => seq > from);
  const index = Math.max(0, behind);
  const [seq, line] = all[index] ?? [];
  if (seq === undefined || line === undefined) return undefined;
  const entry = entries.at(entries.indexOf(seq));
  return {
    seq,
    line,
    number: index + 1,
    count: all.length,
    wrapped: from !== undefined && behind === -1,
    isShown: entry?.kind === 'line' && entry.seq === seq && isMarkedIn(marks, seq, entry.line),
  };
}
