import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, type InsertedRun, indexAfter } from '../../../tail/arena/entries.ts';

/** Lines to read, and the number of lines that each of them stands for. */
export interface Piece {
  readonly from: number;
  /** Index after the last line. */
  readonly to: number;
  readonly weight: number;
}

/** Unread lines up to which all are read. */
const sampledFrom = 50_000;

/** The entries of a log that were not read yet, as runs in the order in which they came. */
export class UnreadLines {
  readonly #entries: Entries<LogLine>;
  #runs: InsertedRun[] = [];
  #count = 0;
  #epoch: number;
  #lost = 0;

  readonly #sampledFrom: number;

  constructor(entries: Entries<LogLine>, from = sampledFrom) {
    this.#entries = entries;
    this.#sampledFrom = from;
    this.#epoch = entries.epoch;
  }

  get count(): number {
    return this.#count;
  }

  add(runs: readonly InsertedRun[]): void {
    this.#forgetInvalid();
    for (const run of runs) {
      this.#count += run.count;
      const last = this.#runs.at(-1);
      if (last !== undefined && this.#follows(last, run)) {
        this.#runs[this.#runs.length - 1] = {
          first: last.first,
          last: run.last,
          count: last.count + run.count,
        };
      } else this.#runs.push(run);
    }
  }

  /**
   * Takes lines to read. With more than 50,000 unread lines, a piece stands for the lines behind it
   * as well, for the more of them the more there are, so that a flood is sampled evenly.
   *
   * @returns the lines, and the number of entries that went unread because they have left the log.
   */
  take(most: number): { readonly piece: Piece | undefined; readonly lost: number } {
    const entries = this.#entries;
    this.#forgetInvalid();
    const run = this.#runs[0];
    if (run === undefined) return { piece: undefined, lost: this.#takeLost() };
    const from = entries.indexOf(run.first);
    const end = indexAfter(entries, run.last);
    const inside = Math.max(0, Math.min(run.count, end - from));
    this.#lost += run.count - inside;
    if (inside === 0) {
      this.#drop(run.count);
      return { piece: undefined, lost: this.#takeLost() };
    }
    const stride = Math.max(1, (this.#count / this.#sampledFrom) ** 2);
    const covered = Math.min(inside, Math.ceil(most * stride));
    const read = Math.min(most, covered);
    const next = entries.at(from + covered)?.seq;
    if (covered === inside || next === undefined) this.#drop(run.count);
    else {
      this.#runs[0] = { first: next, last: run.last, count: inside - covered };
      this.#count -= run.count - inside + covered;
    }
    return { piece: { from, to: from + read, weight: covered / read }, lost: this.#takeLost() };
  }

  #takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  /** Drops all runs once remembered numbers are invalid. */
  #forgetInvalid(): void {
    const { epoch } = this.#entries;
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#lost += this.#count;
    this.#runs = [];
    this.#count = 0;
  }

  #drop(count: number): void {
    this.#runs.shift();
    this.#count -= count;
  }

  #follows(last: InsertedRun, run: InsertedRun): boolean {
    if (run.first < last.last) return false;
    return this.#entries.indexOf(run.first) === indexAfter(this.#entries, last.last);
  }
}
