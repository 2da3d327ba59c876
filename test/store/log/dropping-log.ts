import type { LogLine } from '../../../source/contract/logs.ts';
import type { Entries, Entry, GapEntry, LineVisitor } from '../../../source/tail/arena/entries.ts';

/** A log in a list that drops its oldest entries on request. */
export class DroppingLog implements Entries<LogLine> {
  entries: Entry<LogLine>[] = [];
  epoch = 0;
  #next = 100;

  get length() {
    return this.entries.length;
  }

  get gaps(): readonly GapEntry<LogLine>[] {
    return this.entries.filter((entry) => entry.kind === 'gap');
  }

  at(index: number) {
    return this.entries[index];
  }

  slice(from: number, to: number) {
    return this.entries.slice(from, to);
  }

  indexOf(seq: number) {
    const index = this.entries.findIndex((entry) => entry.seq >= seq);
    return index === -1 ? this.entries.length : index;
  }

  scan(from: number, to: number, see: LineVisitor) {
    let characters = 0;
    for (let index = from; index < Math.min(to, this.length); index += 1) {
      const entry = this.entries[index];
      if (entry?.kind !== 'line') continue;
      characters += entry.line.logLine.length;
      see(index, entry.line.logLine, entry.line.serviceName);
    }
    return characters;
  }

  append(count: number) {
    for (let left = count; left > 0; left -= 1) {
      // Every other number stays free for a late line.
      this.entries.push(lineWith(this.#next));
      this.#next += 2;
    }
  }

  /** Inserts a late line into the middle. */
  insert(index: number) {
    const seq = (this.entries[index]?.seq ?? 0) + 1;
    if (this.entries[index] === undefined || this.entries[index + 1]?.seq === seq) return;
    if (index + 1 < this.length) this.entries.splice(index + 1, 0, lineWith(seq));
  }

  /** Inserts a gap before a line. */
  gap(index: number) {
    const [after, until] = [this.entries[index - 1], this.entries[index]];
    if (after?.kind !== 'line' || until?.kind !== 'line') return;
    this.entries.splice(index, 0, {
      kind: 'gap',
      seq: until.seq - 0.5,
      place: until.place,
      state: { kind: 'missing', why: 'unanswered' },
      after: after.line,
      until: until.line,
    });
  }

  drop(count: number) {
    this.entries.splice(0, count);
  }
}

export function lineWith(seq: number, logLine = `line ${seq}`): Entry<LogLine> {
  return { kind: 'line', seq, place: seq, line: { id: seq, logLine } };
}

/** Returns a log whose entries all pass. */
export function unfiltered(log: DroppingLog) {
  return { all: log, entries: log, criteria: () => [] };
}
