import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { beforeRun, behindRun, type KnownRun } from '../../../source/tail/merge/join-runs.ts';
import { toRow } from '../../../source/tail/arena/row.ts';

/** Lines of a run from `first` on, which stand at these places, shifted. */
function runOf(first: number, count: number, moved: number): KnownRun<LogLine> {
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  return {
    rows: numbers.map((number) => toRow({ logLine: `line ${number}` })),
    places: numbers.map((number) => number + moved),
    from: first + moved,
    to: first + count - 1 + moved,
  };
}

/** The visible part of a continuing run: its first lines. */
const seen = (run: KnownRun<LogLine>, count: number): KnownRun<LogLine> => ({
  ...run,
  rows: run.rows.slice(0, count),
  places: run.places.slice(0, count),
});

const page = { need: 3, begins: false, waits: false };
const rows = (first: number, count: number) => runOf(first, count, 0).rows;

describe('a newer run that stands in the older one already', () => {
  const older = runOf(0, 60, 0);
  const lower = { near: older, ahead: 30, older: 0, far: () => older };

  it('is dropped as a whole when all of it is seen', () => {
    const newer = runOf(30, 10, 1000);
    const placement = behindRun({ ...page, rows: rows(50, 10) }, lower, 9, newer, undefined);
    expect(placement.drop).toEqual([newer.from, newer.to]);
  });

  it('keeps what goes on behind the lines that are seen of it', () => {
    const newer = seen(runOf(30, 100, 1000), 10);
    const placement = behindRun({ ...page, rows: rows(50, 10) }, lower, 9, newer, undefined);
    expect(placement.drop).toBeUndefined();
    const before = beforeRun({ ...page, rows: rows(25, 10) }, newer, 5, 5, lower);
    expect(before.drop ?? [0, 0]).not.toEqual([newer.from, newer.to]);
  });
});
