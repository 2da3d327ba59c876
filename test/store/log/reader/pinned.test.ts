import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../../source/contract/logs.ts';
import { pinEntries } from '../../../../source/store/log/reader/pinned.ts';
import { type Entries, type Entry, seqAt } from '../../../../source/tail/arena/entries.ts';
import { DroppingLog, lineWith } from '../dropping-log.ts';

const bounds = { around: 6, least: 2, most: 40, characters: 10_000 };

const all = (entries: Entries<LogLine>) => entries.slice(0, entries.length);
const seqsOf = (entries: readonly Entry<LogLine>[]) => entries.map(({ seq }) => seq);
const linesOf = (entries: readonly Entry<LogLine>[]) =>
  entries.filter(({ kind }) => kind === 'line').map(({ seq }) => seq);

type Step =
  | { readonly kind: 'append' | 'drop' | 'insert'; readonly by: number }
  | { readonly kind: 'move'; readonly by: number }
  | { readonly kind: 'release' };

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('append' as const), by: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constant('drop' as const), by: fc.integer({ min: 1, max: 15 }) }),
    fc.record({ kind: fc.constant('insert' as const), by: fc.nat(30) }),
    fc.record({ kind: fc.constant('move' as const), by: fc.integer({ min: -8, max: 8 }) }),
    fc.record({ kind: fc.constant('release' as const) }),
  ),
  { maxLength: 40 },
);

describe('pinned entries', () => {
  it('precede those of the log for any sequence of changes', () => {
    fc.assert(
      fc.property(steps, (allSteps: readonly Step[]) => {
        const log = new DroppingLog();
        log.append(20);
        const pinned = pinEntries(log, { bounds });
        const ever = new Set(linesOf(log.entries));
        let cursor: number | undefined;
        for (const step of allSteps) {
          const visible = cursor === undefined ? [] : around(pinned, cursor);
          if (step.kind === 'append') log.append(step.by);
          else if (step.kind === 'insert') log.insert(step.by);
          else if (step.kind === 'drop') log.drop(Math.min(step.by, log.length - 1));
          else if (step.kind === 'release') {
            cursor = undefined;
            pinned.release();
          } else {
            const from = cursor === undefined ? pinned.length - 1 : pinned.indexOf(cursor);
            const index = Math.max(0, Math.min(from + step.by, pinned.length - 1));
            cursor = pinned.at(index)?.seq;
          }
          // The lines around the cursor stay, and only late lines are inserted between.
          if (step.kind === 'append' || step.kind === 'drop') {
            const now = linesOf(all(pinned));
            expect(now.filter((seq) => visible.includes(seq))).toEqual(visible);
          }
          for (const seq of linesOf(log.entries)) ever.add(seq);
          holdsTogether(pinned, log, ever);
          // Every frame does the same.
          if (cursor !== undefined) pinned.hold(cursor);
          holdsTogether(pinned, log, ever);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('equal the log while nothing is pinned', () => {
    const log = new DroppingLog();
    log.append(3);
    const pinned = pinEntries(log, { bounds });
    log.drop(1);
    expect(all(pinned)).toEqual(log.entries);
    expect(pinned.gaps).toEqual(log.gaps);
    expect(pinned.at(-1)).toBeUndefined();
  });

  it('end with a gap for dropped lines, which keeps its seq', () => {
    const log = new DroppingLog();
    log.append(8);
    const pinned = pinEntries(log, { bounds });
    pinned.hold(106);
    log.append(20);
    log.drop(15);
    const before = pinned.gaps[0];
    expect(before).toMatchObject({
      state: { kind: 'missing', why: 'dropped' },
      after: { id: 114 },
      until: { id: 130 },
    });
    expect(pinned.indexOf(before?.seq ?? 0)).toBe(8);
    log.drop(3);
    expect(pinned.gaps[0]).toMatchObject({ seq: before?.seq, until: { id: 136 } });
    expect(pinned.at(8)).toBe(pinned.gaps[0]);
  });

  it('are removed when the log renumbers its entries', () => {
    const log = new DroppingLog();
    log.append(8);
    const pinned = pinEntries(log, { bounds });
    pinned.hold(106);
    log.drop(5);
    expect(pinned.length).toBe(8);
    log.epoch += 1;
    expect(all(pinned)).toEqual(log.entries);
  });

  it('have no gap where the next line of the log follows', () => {
    const log = new DroppingLog();
    log.entries = [lineWith(1), lineWith(2)];
    const pinned = pinEntries(log, { bounds });
    pinned.hold(2);
    log.entries = [lineWith(3), lineWith(4)];
    expect(linesOf(all(pinned))).toEqual([1, 2, 3, 4]);
    expect(pinned.gaps).toEqual([]);
  });

  it('hide what a filter hides, and return when it is removed', () => {
    const log = new DroppingLog();
    log.append(20);
    const filtered = new DroppingLog();
    filtered.entries = [...log.entries];
    let filter: string | undefined;
    const pinned = pinEntries(filtered, { log, criteria: () => [filter], match: () => [], bounds });
    pinned.hold(110);
    log.drop(8);
    filtered.drop(8);
    const before = linesOf(all(pinned));
    expect(before.slice(0, 3)).toEqual([100, 102, 104]);
    filter = '13';
    filtered.entries = log.entries.filter(({ seq }) => seq >= 130);
    expect(linesOf(all(pinned))).toEqual([130, 132, 134, 136, 138]);
    expect(pinned.gaps).toEqual([]);
    pinned.hold(134);
    log.drop(9);
    filtered.drop(2);
    expect(linesOf(all(pinned))).toEqual([130, 132, 134, 136, 138]);
    expect([pinned.isDropped(132), pinned.isDropped(134)]).toEqual([true, false]);
    filter = undefined;
    filtered.entries = [...log.entries];
    expect(linesOf(all(pinned)).slice(0, 10)).toEqual(before.slice(0, 10));
    expect(pinned.gaps[0]).toMatchObject({ until: { id: 134 } });
  });

  it('include dropped lines that pass a filter', () => {
    const log = new DroppingLog();
    log.append(20);
    let filter: string | undefined;
    const passes = (entry: Entry<LogLine>) =>
      entry.kind === 'gap' || entry.line.logLine.includes(filter ?? '');
    const filtered = new DroppingLog();
    filtered.entries = [...log.entries];
    const sift = (entries: readonly Entry<LogLine>[]) => entries.filter(passes);
    const pinned = pinEntries(filtered, { log, criteria: () => [filter], match: sift, bounds });
    const ask = (text: string | undefined) => {
      filter = text;
      filtered.entries = sift(log.entries);
    };
    pinned.hold(110);
    log.drop(18);
    ask('0');
    expect(linesOf(all(pinned))).toEqual([100, 102, 104, 106, 108, 110, 120]);
    expect(pinned.gaps).toMatchObject([{ after: { id: 120 }, until: { id: 136 } }]);
    ask('4');
    expect(linesOf(all(pinned))).toEqual([104, 114]);
    ask(undefined);
    expect(linesOf(all(pinned)).slice(0, 5)).toEqual([100, 102, 104, 106, 108]);
  });

  it('end with a gap for missing lines after a gap that a filter leaves', () => {
    const log = new DroppingLog();
    log.append(20);
    log.gap(6);
    let filter: string | undefined;
    const filtered = new DroppingLog();
    filtered.entries = [...log.entries];
    const sift = (entries: readonly Entry<LogLine>[]) =>
      entries.filter((entry) => entry.kind === 'gap' || entry.seq < 110);
    const pinned = pinEntries(filtered, { log, criteria: () => [filter], match: sift, bounds });
    pinned.hold(114);
    filter = 'any';
    filtered.entries = [];
    log.drop(8);
    expect(pinned.gaps).toMatchObject([
      { after: { id: 110 }, until: { id: 112 } },
      { after: { id: 112 }, until: { id: 114 } },
    ]);
    log.drop(10);
    expect(pinned.gaps).toMatchObject([
      { after: { id: 110 }, until: { id: 112 } },
      { after: { id: 112 }, until: { id: 134 } },
    ]);
    log.entries = [lineWith(112)];
    expect(pinned.gaps).toMatchObject([{ until: { id: 112 } }]);
  });

  it('keep the line that a filter moved under the cursor, with gaps beside it', () => {
    const log = new DroppingLog();
    log.append(40);
    let filter: string | undefined;
    const filtered = new DroppingLog();
    filtered.entries = [...log.entries];
    const pinned = pinEntries(filtered, { log, criteria: () => [filter], bounds });
    pinned.hold(104);
    filter = '150';
    filtered.entries = log.entries.filter(({ seq }) => seq === 150);
    pinned.hold(150);
    log.drop(39);
    filtered.drop(1);
    expect(linesOf(all(pinned))).toContain(150);
    filter = undefined;
    filtered.entries = [...log.entries];
    expect(linesOf(all(pinned)).slice(-3)).toEqual([116, 150, 178]);
    expect(pinned.gaps).toMatchObject([
      { after: { id: 116 }, until: { id: 150 } },
      { after: { id: 150 }, until: { id: 178 } },
    ]);
  });

  it('show no line twice that was fetched again with another seq', () => {
    const log = new DroppingLog();
    log.append(6);
    const pinned = pinEntries(log, { bounds });
    pinned.hold(104);
    log.drop(4);
    log.entries.unshift({ ...lineWith(104), seq: 105 });
    expect(all(pinned).map((entry) => entry.kind === 'line' && entry.line.id)).toEqual([
      100, 102, 104, 108, 110,
    ]);
  });

  it('are fewer for long lines, but always include the neighbours of the cursor', () => {
    const log = new DroppingLog();
    log.append(30);
    const pinned = pinEntries(log, { bounds: { ...bounds, characters: 12 } });
    pinned.hold(130);
    log.append(1);
    log.drop(30);
    expect(linesOf(all(pinned))).toEqual([126, 128, 130, 132, 134, 160]);
  });
});

/** Lines on a small screen around the cursor. */
function around(entries: Entries<LogLine>, cursor: number): readonly number[] {
  const index = entries.indexOf(cursor);
  return linesOf(entries.slice(Math.max(0, index - 3), index + 4));
}

/** Checks that all methods agree and that every missing line has a gap. */
function holdsTogether(
  pinned: Entries<LogLine>,
  log: DroppingLog,
  ever: ReadonlySet<number>,
): void {
  const entries = all(pinned);
  const seqs = seqsOf(entries);
  expect(seqs).toEqual([...new Set(seqs)].sort((left, right) => left - right));
  expect(seqs.slice(-log.length)).toEqual(seqsOf(log.entries));
  expect(entries.map((_, index) => pinned.at(index)?.seq)).toEqual(seqs);
  expect(entries.map((_, index) => seqAt(pinned, index))).toEqual(seqs);
  expect(seqs.map((seq) => pinned.indexOf(seq))).toEqual(seqs.map((_, index) => index));
  expect(seqsOf(pinned.slice(2, 9))).toEqual(seqs.slice(2, 9));
  expect(seqsOf(pinned.gaps)).toEqual(seqsOf(entries.filter(({ kind }) => kind === 'gap')));
  const seen: number[] = [];
  pinned.scan(1, entries.length, (index) => seen.push(seqs[index] ?? 0));
  expect(seen).toEqual(linesOf(entries.slice(1)));
  for (const [index, entry] of entries.entries()) {
    const next = entries[index + 1];
    if (entry.kind === 'gap' || next?.kind !== 'line') continue;
    const between = [...ever].filter((seq) => seq > entry.seq && seq < next.seq);
    expect(between).toEqual([]);
  }
}
