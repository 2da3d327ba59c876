import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../source/contract/logs.ts';
import { LogNotes } from '../../source/store/log-notes.ts';
import type { LogRestart } from '../../source/store/log-restarts.ts';
import type { Entries } from '../../source/tail/entries.ts';
import { rowOf } from '../../source/tail/row.ts';
import { Sequence } from '../../source/tail/sequence.ts';

function logOf(...seconds: readonly number[]): Sequence<LogLine> {
  const log = new Sequence<LogLine>({
    row: rowOf,
    maxLines: 10_000,
    maxBytes: 1e9,
    bytes: () => 10,
  });
  put(log, ...seconds);
  return log;
}

/** Lines whose numbers are their seconds. */
function put(log: Sequence<LogLine>, ...seconds: readonly number[]): void {
  const rows = seconds.map((second) => ({
    place: second,
    row: rowOf({ logLine: `line ${second}`, timestamp: new Date(second * 1000).toISOString() }),
  }));
  log.apply({ put: rows, lean: 'newer', drop: undefined, spans: [] });
}

function restartAt(second: number): LogRestart {
  return { deploymentId: 'd', at: second * 1000, isTold: true };
}

/** The lines that restarts stand behind. */
function behind(
  notes: LogNotes,
  log: Entries<LogLine>,
  ...restarts: readonly LogRestart[]
): readonly string[] {
  return [...notes.behind(log, restarts).keys()].map((seq) => {
    const entry = log.at(log.indexOf(seq));
    return entry?.kind === 'line' ? entry.line.logLine : 'no line';
  });
}

describe('the note of a restart', () => {
  it('stands between the lines from before and those from after', () => {
    const log = logOf(1, 2, 3, 5, 6);
    expect(behind(new LogNotes(), log, restartAt(4))).toEqual(['line 3']);
  });

  it('stands at the end until a later line comes', () => {
    const log = logOf(1, 2);
    const notes = new LogNotes();
    const restart = restartAt(4);
    expect(behind(notes, log, restart)).toEqual(['line 2']);
    put(log, 3);
    expect(behind(notes, log, restart)).toEqual(['line 3']);
    put(log, 5, 6);
    expect(behind(notes, log, restart)).toEqual(['line 3']);
  });

  it('goes on when lines from before it are fetched late', () => {
    const log = logOf(1, 9);
    const notes = new LogNotes();
    const restart = restartAt(4);
    expect(behind(notes, log, restart)).toEqual(['line 1']);
    put(log, 2, 3, 5, 6);
    expect(behind(notes, log, restart)).toEqual(['line 3']);
  });

  it('is not shown above all lines, but when older ones have come', () => {
    const log = logOf(5, 6);
    const notes = new LogNotes();
    const restart = restartAt(4);
    expect(behind(notes, log, restart)).toEqual([]);
    put(log, 2, 3);
    expect(behind(notes, log, restart)).toEqual(['line 3']);
  });

  it('stands where it belongs in another log too', () => {
    const notes = new LogNotes();
    const restart = restartAt(4);
    expect(behind(notes, logOf(1, 2, 3, 5), restart)).toEqual(['line 3']);
    expect(behind(notes, logOf(2, 7), restart)).toEqual(['line 2']);
  });

  it('is not shown in a log without times', () => {
    const log = logOf();
    const row = rowOf({ logLine: 'line' });
    log.apply({ put: [{ place: 1, row }], lean: 'newer', drop: undefined, spans: [] });
    expect(behind(new LogNotes(), log, restartAt(4))).toEqual([]);
  });

  it('stands right in whatever order the lines come', () => {
    const seconds = fc.uniqueArray(fc.nat({ max: 500 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(seconds, fc.nat({ max: 500 }), fc.nat({ max: 20 }), (all, second, size) => {
        const log = logOf();
        const notes = new LogNotes();
        const restart = restartAt(second);
        for (let start = 0; start < all.length; start += size + 1) {
          const part = all.slice(start, start + size + 1).toSorted((left, right) => left - right);
          put(log, ...part);
          const known = all.slice(0, start + size + 1).filter((one) => one < second);
          const expected = known.length === 0 ? [] : [`line ${Math.max(...known)}`];
          expect(behind(notes, log, restart)).toEqual(expected);
        }
      }),
    );
  });
});
