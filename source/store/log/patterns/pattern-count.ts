/** Milliseconds of a slot of the recent lines, and the slots that a rate is made of. */
const slotWidth = 30_000;
const slots = 10;

/** Services and characters of an example that are remembered. */
const maxServices = 8;
const maxExample = 2000;

/** A time in ms since the epoch; undefined for lines without one. */
type Time = number | undefined;

/** The lines of a pattern that were counted. */
export interface PatternCount {
  /** Lines; more than were read while lines are sampled. */
  readonly lines: number;
  /** Lines that were read. */
  readonly read: number;
  readonly firstAt: Time;
  readonly lastAt: Time;
  readonly services: ReadonlySet<string>;
  /** A line of the pattern, the newest that was read. */
  readonly example: string;
}

/** Lines of a pattern that were read beside each other. */
export interface PatternPiece {
  readonly read: number;
  readonly firstAt: Time;
  readonly lastAt: Time;
  readonly services: ReadonlySet<string>;
  readonly example: string;
}

interface Slot {
  /** Number of the slot since the epoch. */
  at: number;
  lines: number;
}

/** Counts the lines of one pattern. */
export class PatternCounter implements PatternCount {
  lines = 0;
  read = 0;
  firstAt: Time = undefined;
  lastAt: Time = undefined;
  readonly services = new Set<string>();
  example = '';
  readonly #slots: readonly Slot[] = Array.from({ length: slots }, () => ({ at: -1, lines: 0 }));

  /** Adds lines. @param weight the lines that each of them stands for. */
  add(piece: PatternPiece, weight: number): void {
    const lines = piece.read * weight;
    this.#merge(piece, lines);
    if (piece.lastAt !== undefined) this.#addRecent(Math.floor(piece.lastAt / slotWidth), lines);
  }

  /** Adds the lines of a pattern that has become part of this one. */
  join(other: PatternCounter): void {
    this.#merge(other, other.lines);
    for (const { at, lines } of other.#slots) if (at >= 0) this.#addRecent(at, lines);
  }

  /** Returns the lines a minute of the last five minutes. @param since the time of the oldest line. */
  perMinute(now: number, since: Time): number {
    const newest = Math.floor(now / slotWidth);
    const recent = this.#slots
      .filter(({ at }) => at > newest - slots && at <= newest)
      .reduce((sum, { lines }) => sum + lines, 0);
    const begin = Math.max(since ?? 0, (newest - slots + 1) * slotWidth);
    return (recent * 60_000) / Math.max(now - begin, slotWidth);
  }

  #merge(piece: PatternPiece, lines: number): void {
    this.lines += lines;
    this.read += piece.read;
    const isNewer = (piece.lastAt ?? 0) >= (this.lastAt ?? 0);
    if (isNewer || this.example === '') this.example = ownCopy(piece.example);
    this.firstAt = pick(Math.min, this.firstAt, piece.firstAt);
    this.lastAt = pick(Math.max, this.lastAt, piece.lastAt);
    for (const service of piece.services) {
      if (this.services.size < maxServices) this.services.add(service);
    }
  }

  #addRecent(at: number, lines: number): void {
    const slot = this.#slots[at % slots];
    if (slot === undefined || at < slot.at) return;
    slot.lines = at === slot.at ? slot.lines + lines : lines;
    slot.at = at;
  }
}

/** Copies a text: one of a scan may keep many others alive. */
function ownCopy(text: string): string {
  return Buffer.from(text.slice(0, maxExample), 'utf16le').toString('utf16le');
}

function pick(choose: (one: number, other: number) => number, one: Time, other: Time): Time {
  return one === undefined || other === undefined ? (one ?? other) : choose(one, other);
}
