import { guard } from '../../../source/start/bounded-run.ts';
import type { LogLine } from '../../../source/contract/logs.ts';
import type { Clock } from '../../../source/store/time/clock.ts';
import type {
  Entries,
  Entry,
  GapEntry,
  InsertedRun,
  LineVisitor,
} from '../../../source/tail/arena/entries.ts';
import { fillingState } from '../../../source/tail/arena/gap.ts';
import type { Prefilter } from '../../../source/tail/query/prefilter.ts';

/** A line as a test writes it. */
export interface TestLine {
  readonly text: string;
  readonly service?: string | undefined;
  /** In ISO 8601. */
  readonly time?: string | undefined;
}

/** Simplest implementation of `Entries`, with methods that change it. */
class PlainEntries implements Entries<LogLine> {
  #entries: Entry<LogLine>[] = [];
  #gaps: readonly GapEntry<LogLine>[] = [];
  epoch = 0;

  get length() {
    return this.#entries.length;
  }

  get gaps() {
    return this.#gaps;
  }

  at(index: number) {
    return index < 0 ? undefined : this.#entries[index];
  }

  slice(from: number, to: number) {
    return this.#entries.slice(Math.max(0, from), Math.max(0, to));
  }

  indexOf(seq: number) {
    const index = this.#entries.findIndex((entry) => entry.seq >= seq);
    return index < 0 ? this.#entries.length : index;
  }

  scan(from: number, to: number, see: LineVisitor, sieve?: Prefilter) {
    let characters = 0;
    for (const [offset, entry] of this.slice(from, to).entries()) {
      if (entry.kind !== 'line') continue;
      const { logLine, serviceName } = entry.line;
      characters += logLine.length;
      // eslint-disable-next-line no-control-regex
      if (sieve === undefined || /\x1b/.test(logLine) || logLine.search(sieve.text) >= 0) {
        see(Math.max(0, from) + offset, logLine, serviceName);
      }
    }
    return characters;
  }

  insert(at: number, lines: readonly TestLine[]): readonly InsertedRun[] {
    const before = this.#entries[at - 1]?.seq;
    const after = this.#entries[at]?.seq;
    const end = before === undefined ? 0 : Math.floor(before) + 1;
    const seqs = lines.map((_, index) => {
      if (after === undefined) return end + index;
      if (before === undefined) return after - lines.length + index;
      return before + ((after - before) * (index + 1)) / (lines.length + 1);
    });
    const fresh = lines.map(
      ({ text, service, time }, index): Entry<LogLine> => ({
        kind: 'line',
        seq: seqs[index] ?? 0,
        place: 0,
        line: { logLine: text, serviceName: service, timestamp: time },
      }),
    );
    this.#entries.splice(at, 0, ...fresh);
    if (lines.length === 0) return [];
    return [{ first: seqs[0] ?? 0, last: seqs.at(-1) ?? 0, count: lines.length }];
  }

  /** Inserts a gap before a line, or removes it. */
  toggleGap(at: number) {
    const entry = this.#entries[at];
    const before = this.#entries[at - 1];
    if (entry?.kind === 'gap') this.#entries.splice(at, 1);
    else if (entry !== undefined && before?.kind === 'line') {
      const seq = (before.seq + entry.seq) / 2;
      const { line } = entry;
      this.#entries.splice(at, 0, {
        kind: 'gap',
        seq,
        place: 0,
        state: fillingState,
        after: before.line,
        until: line,
      });
    }
    this.#recount();
  }

  dropOldest(count: number) {
    this.#entries.splice(0, count);
    if (this.#entries[0]?.kind === 'gap') this.#entries.shift();
    this.#recount();
  }

  /** Removes entries; a gap before them ends at the line after them. */
  remove(at: number, count: number) {
    this.epoch += 1;
    this.#entries.splice(at, count);
    this.#entries = this.#entries.flatMap((entry, index, all): readonly Entry<LogLine>[] => {
      if (entry.kind === 'line') return [entry];
      const next = all[index + 1];
      return next?.kind === 'line' ? [{ ...entry, until: next.line }] : [];
    });
    this.#recount();
  }

  renumber() {
    this.epoch += 1;
    const last = this.#entries.at(-1)?.seq ?? 0;
    this.#entries = this.#entries.map((entry, index) => ({
      ...entry,
      seq: Math.ceil(last) + (index + 1) * 1000,
    }));
    this.#recount();
  }

  #recount() {
    this.#gaps = this.#entries.filter((entry) => entry.kind === 'gap');
  }
}

/** Creates a log whose lines and turns the test controls. */
export function createLogWorld() {
  const entries = new PlainEntries();
  const listeners = new Set<(runs: readonly InsertedRun[]) => void>();
  let turns: (() => void)[] = [];
  let now = 0;
  let readingTime = 0;

  const notify = (runs: readonly InsertedRun[]): void => {
    for (const listener of listeners) listener(runs);
  };
  /** Notifications are timers, which wait like turns. */
  const clock: Clock = {
    now: () => (now += readingTime),
    after(_, action) {
      turns.push(action);
      return () => {
        turns = turns.filter((turn) => turn !== action);
      };
    },
    guard,
  };
  /** Runs the next turn. Returns false when none waits. */
  const turn = (): boolean => {
    const action = turns.shift();
    action?.();
    return action !== undefined;
  };

  return {
    entries,
    options: {
      entries,
      onInserted(listener: (runs: readonly InsertedRun[]) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      clock,
    },
    /** Sets the milliseconds that each reading of the clock takes; 4 makes the shortest slices. */
    setPace(next: number) {
      readingTime = next;
    },
    insertAt(at: number, lines: readonly TestLine[]) {
      notify(entries.insert(at, lines));
    },
    say(...texts: readonly string[]) {
      notify(
        entries.insert(
          entries.length,
          texts.map((text) => ({ text })),
        ),
      );
    },
    /** Changes the entries without adding lines. */
    change(action: (entries: PlainEntries) => void) {
      action(entries);
      notify([]);
    },
    turn,
    settle() {
      while (turn()) {
        // Run turns until none waits.
      }
    },
  };
}

/** Returns the entries as text. */
export function shownOf(entries: Entries<LogLine>): readonly string[] {
  return entries
    .slice(0, entries.length)
    .map((entry) => (entry.kind === 'gap' ? '-- gap --' : entry.line.logLine));
}
