import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../source/contract/logs.ts';
import { pinEntries } from '../../source/store/log-pinned.ts';
import type { Entries, Entry } from '../../source/tail/entries.ts';
import { DroppingLog, lineWith } from './dropping-log.ts';

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

describe('entries that are pinned', () => {
  it('are those of the log with what was held before them, whatever comes and goes', () => {
    fc.assert(
      fc.property(steps, (taken: readonly Step[]) => {
        const log = new DroppingLog();
        log.append(20);
        const pinned = pinEntries(log, bounds);
        const ever = new Set(linesOf(log.entries));
        let cursor: number | undefined;
        for (const step of taken) {
          const eye = cursor === undefined ? [] : around(pinned, cursor);
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
          // What is under the eye stays, and only lines that come late stand between.
          if (step.kind === 'append' || step.kind === 'drop') {
            const now = linesOf(all(pinned));
            expect(now.filter((seq) => eye.includes(seq))).toEqual(eye);
          }
          for (const seq of linesOf(log.entries)) ever.add(seq);
          holdsTogether(pinned, log, ever);
          // As with every frame that is drawn.
          if (cursor !== undefined) pinned.hold(cursor);
          holdsTogether(pinned, log, ever);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('are the very log while nothing is held', () => {
    const log = new DroppingLog();
    log.append(3);
    const pinned = pinEntries(log, bounds);
    log.drop(1);
    expect(all(pinned)).toEqual(log.entries);
    expect(pinned.gaps).toEqual(log.gaps);
    expect(pinned.at(-1)).toBeUndefined();
  });

  it('say which lines are gone behind those that are held, and keep the number of that row', () => {
    const log = new DroppingLog();
    log.append(8);
    const pinned = pinEntries(log, bounds);
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

  it('forget what was held when the log gives its entries other numbers', () => {
    const log = new DroppingLog();
    log.append(8);
    const pinned = pinEntries(log, bounds);
    pinned.hold(106);
    log.drop(5);
    expect(pinned.length).toBe(8);
    log.epoch += 1;
    expect(all(pinned)).toEqual(log.entries);
  });

  it('take no line twice that was fetched once more with another number', () => {
    const log = new DroppingLog();
    log.append(6);
    const pinned = pinEntries(log, bounds);
    pinned.hold(104);
    log.drop(4);
    log.entries.unshift({ ...lineWith(104), seq: 105 });
    expect(all(pinned).map((entry) => entry.kind === 'line' && entry.line.id)).toEqual([
      100, 102, 104, 108, 110,
    ]);
  });

  it('hold fewer of long lines, and those next to the cursor in any case', () => {
    const log = new DroppingLog();
    log.append(30);
    const pinned = pinEntries(log, { ...bounds, characters: 12 });
    pinned.hold(130);
    log.append(1);
    log.drop(30);
    expect(linesOf(all(pinned))).toEqual([126, 128, 130, 132, 134, 160]);
  });
});

/** Lines that a small screen around the cursor may show. */
function around(entries: Entries<LogLine>, cursor: number): readonly number[] {
  const index = entries.indexOf(cursor);
  return linesOf(entries.slice(Math.max(0, index - 3), index + 4));
}

/** Every way to look at the entries agrees, and wherever a line is missing a gap says so. */
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
