import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sliceLog } from '../../../../source/store/log/reader/slices.ts';
import type { LogLine } from '../../../../source/contract/logs.ts';
import type { Entry } from '../../../../source/tail/arena/entries.ts';
import { DroppingLog, lineWith, unfiltered } from '../dropping-log.ts';

/** Returns a clock that advances by `step` ms with each reading. */
function clockBy(step: number): () => number {
  let now = 0;
  return () => (now += step);
}

function seenOf(entries: readonly Entry<LogLine>[]): readonly (number | string)[] {
  return entries.map((entry) =>
    entry.kind === 'line' ? entry.seq : `${String(entry.after?.id)} to ${String(entry.until.id)}`,
  );
}

describe('a log in slices', () => {
  it('returns every entry of the range once for any size of slice', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 }),
        fc.nat(89),
        fc.nat(89),
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.nat(80), { maxLength: 4 }),
        (count, one, other, step, gaps) => {
          const log = new DroppingLog();
          log.append(count);
          for (const gap of gaps) log.gap(gap);
          const ends = [one, other].map((at) => log.at(at % log.length)?.seq ?? 0);
          const range = { first: Math.min(...ends), last: Math.max(...ends) };
          const slices = sliceLog(unfiltered(log), range, clockBy(step));
          const seen: Entry<LogLine>[] = [];
          // Lines after the range do not belong to it.
          while (slices.next((entry) => seen.push(entry)) === 'more') log.append(3);
          const wanted = log.entries.filter(({ seq }) => seq >= range.first && seq <= range.last);
          expect(seen).toEqual(wanted);
          expect(slices.lines).toBe(wanted.filter(({ kind }) => kind === 'line').length);
          expect(slices.lostAtEnd()).toBe(false);
        },
      ),
    );
  });

  it('returns a gap for lines that were dropped before they were read', () => {
    const log = new DroppingLog();
    log.append(60);
    const slices = sliceLog(unfiltered(log), { first: 100, last: 218 }, clockBy(5));
    const seen: Entry<LogLine>[] = [];
    expect(slices.next((entry) => seen.push(entry))).toBe('more');
    const before = seen.length;
    log.drop(before + 5);
    while (slices.next((entry) => seen.push(entry)) === 'more');
    const last = 100 + 2 * (before - 1);
    expect(seenOf(seen).slice(before - 1, before + 2)).toEqual([
      last,
      `${last} to ${last + 12}`,
      last + 12,
    ]);
    expect(seen.at(-1)?.seq).toBe(218);
    expect(slices.lines).toBe(60);
  });

  it('returns a gap when the first lines are dropped before the first slice', () => {
    const log = new DroppingLog();
    log.append(10);
    const slices = sliceLog(unfiltered(log), { first: 100, last: 118 }, clockBy(1));
    log.drop(4);
    const seen: Entry<LogLine>[] = [];
    expect(slices.next((entry) => seen.push(entry))).toBe('done');
    expect(seenOf(seen)).toEqual(['undefined to 108', 108, 110, 112, 114, 116, 118]);
  });

  it('returns a gap for lines that were dropped before the start', () => {
    const log = new DroppingLog();
    log.append(10);
    log.drop(4);
    const seen: Entry<LogLine>[] = [];
    sliceLog(unfiltered(log), { first: 100, last: 110 }, clockBy(1)).next((entry) =>
      seen.push(entry),
    );
    expect(seenOf(seen)).toEqual(['undefined to 108', 108, 110]);
    const slices = sliceLog(unfiltered(log), { first: 100, last: 102 }, clockBy(1));
    expect(slices.next((entry) => seen.push(entry))).toBe('done');
    expect(seen).toHaveLength(3);
    expect(slices.lostAtEnd()).toBe(true);
  });

  it('returns a gap even if late lines restore the count', () => {
    const log = new DroppingLog();
    log.append(10);
    const slices = sliceLog(unfiltered(log), { first: 100, last: 118 }, clockBy(1));
    log.drop(2);
    log.insert(0);
    log.insert(3);
    const seen: Entry<LogLine>[] = [];
    slices.next((entry) => seen.push(entry));
    expect(seenOf(seen).slice(0, 3)).toEqual(['undefined to 104', 104, 105]);
  });

  it('reports lost lines at the end of the range', () => {
    const log = new DroppingLog();
    log.append(40);
    const slices = sliceLog(unfiltered(log), { first: 100, last: 178 }, clockBy(5));
    const seen: Entry<LogLine>[] = [];
    slices.next((entry) => seen.push(entry));
    log.append(5);
    log.drop(40);
    expect(slices.next((entry) => seen.push(entry))).toBe('done');
    expect(slices.lostAtEnd()).toBe(true);
  });

  it('loses no line when a gap is filled meanwhile', () => {
    const log = new DroppingLog();
    log.append(20);
    log.gap(16);
    const slices = sliceLog(unfiltered(log), { first: 100, last: 138 }, clockBy(5));
    const seen: Entry<LogLine>[] = [];
    expect(slices.next((entry) => seen.push(entry))).toBe('more');
    log.entries.splice(16, 1, lineWith(131));
    while (slices.next((entry) => seen.push(entry)) === 'more');
    expect(seen.every(({ kind }) => kind === 'line')).toBe(true);
    expect(seen).toHaveLength(21);
  });

  it('stops when the filter changes', () => {
    const log = new DroppingLog();
    log.append(60);
    let filter: string | undefined;
    const entries = { ...unfiltered(log), criteria: () => [filter] };
    const slices = sliceLog(entries, { first: 100, last: 218 }, clockBy(5));
    expect(slices.next(() => {})).toBe('more');
    filter = 'error';
    expect(slices.next(() => {})).toBe('moved');
  });

  it('does not report hidden lines as lost', () => {
    const log = new DroppingLog();
    log.append(20);
    const shown = new DroppingLog();
    shown.entries = log.entries.filter((_, index) => index % 3 === 2);
    const seen: Entry<LogLine>[] = [];
    const slices = sliceLog(
      { ...unfiltered(shown), all: log },
      { first: 100, last: 138 },
      clockBy(1),
    );
    expect(slices.next((entry) => seen.push(entry))).toBe('done');
    expect(seen).toEqual(shown.entries);
    expect(slices.lostAtEnd()).toBe(false);
  });

  it('stops when the entries are renumbered', () => {
    const log = new DroppingLog();
    log.append(60);
    const slices = sliceLog(unfiltered(log), { first: 100, last: 218 }, clockBy(5));
    slices.next(() => {});
    log.epoch += 1;
    expect(slices.next(() => {})).toBe('moved');
  });
});
