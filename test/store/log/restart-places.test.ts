import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { RestartPlaces } from '../../../source/store/log/restart-places.ts';
import type { LogRestart } from '../../../source/store/log/restarts.ts';
import type { Entries } from '../../../source/tail/arena/entries.ts';
import { FakeLog } from '../../tail/fake-log.ts';

type Log = FakeLog<LogLine>;

function logOf(...seconds: readonly number[]): Log {
  const log = new FakeLog(({ logLine }: LogLine) => logLine);
  put(log, ...seconds);
  return log;
}

/** Creates a log of lines with these seconds. */
function put(log: Log, ...seconds: readonly number[]): void {
  for (const second of seconds) {
    const line = { logLine: `line ${second}`, timestamp: new Date(second * 1000).toISOString() };
    const later = log
      .slice(0, log.length)
      .findIndex((entry) => entry.kind === 'line' && (entry.line.timestamp ?? '') > line.timestamp);
    log.insert([line], later === -1 ? log.length : later);
  }
}

function restartAt(second: number): LogRestart {
  return { deploymentId: 'd', at: second * 1000, isReported: true };
}

/** Returns the lines before the restarts. */
function behind(
  notes: RestartPlaces,
  log: Entries<LogLine>,
  ...restarts: readonly LogRestart[]
): readonly string[] {
  return [...notes.behind(log, restarts).keys()].map((seq) => {
    const entry = log.at(log.indexOf(seq));
    return entry?.kind === 'line' ? entry.line.logLine : 'no line';
  });
}

describe('a restart note', () => {
  it('is placed between earlier and later lines', () => {
    const log = logOf(1, 2, 3, 5, 6);
    expect(behind(new RestartPlaces(), log, restartAt(4))).toEqual(['line 3']);
  });

  it('is placed after lines without a time that follow an earlier line', () => {
    const log = new FakeLog(({ logLine }: LogLine) => logLine);
    const timed = (second: number): LogLine => ({
      logLine: `line ${second}`,
      timestamp: new Date(second * 1000).toISOString(),
    });
    log.insert([{ logLine: 'at 0' }]);
    for (const second of [1, 2, 3, 5, 6]) {
      log.insert([timed(second), { logLine: `at ${second}` }, { logLine: `at ${second} too` }]);
    }
    const notes = new RestartPlaces();
    for (const second of [1, 2, 3, 5]) {
      const after = restartAt(second + 0.5);
      expect(behind(new RestartPlaces(), log, after)).toEqual([`at ${second} too`]);
    }
    const restart = restartAt(6.5);
    expect(behind(notes, log, restart)).toEqual(['at 6 too']);
    log.insert([{ logLine: 'at 6 as well' }]);
    expect(behind(notes, log, restart)).toEqual(['at 6 as well']);
    expect(behind(notes, log, restartAt(0.5))).toEqual([]);
  });

  it('is last until a later line arrives', () => {
    const log = logOf(1, 2);
    const notes = new RestartPlaces();
    const restart = restartAt(4);
    expect(behind(notes, log, restart)).toEqual(['line 2']);
    put(log, 3);
    expect(behind(notes, log, restart)).toEqual(['line 3']);
    put(log, 5, 6);
    expect(behind(notes, log, restart)).toEqual(['line 3']);
  });

  it('moves on when earlier lines are fetched late', () => {
    const log = logOf(1, 9);
    const notes = new RestartPlaces();
    const restart = restartAt(4);
    expect(behind(notes, log, restart)).toEqual(['line 1']);
    put(log, 2, 3, 5, 6);
    expect(behind(notes, log, restart)).toEqual(['line 3']);
  });

  it('is hidden before the first line, until older lines are loaded', () => {
    const log = logOf(5, 6);
    const notes = new RestartPlaces();
    const restart = restartAt(4);
    expect(behind(notes, log, restart)).toEqual([]);
    put(log, 2, 3);
    expect(behind(notes, log, restart)).toEqual(['line 3']);
  });

  it('is placed by time in another log too', () => {
    const notes = new RestartPlaces();
    const restart = restartAt(4);
    expect(behind(notes, logOf(1, 2, 3, 5), restart)).toEqual(['line 3']);
    expect(behind(notes, logOf(2, 7), restart)).toEqual(['line 2']);
  });

  it('is hidden in a log without times', () => {
    const log = logOf();
    log.insert([{ logLine: 'line' }]);
    expect(behind(new RestartPlaces(), log, restartAt(4))).toEqual([]);
  });

  it('is placed correctly for any order of lines', () => {
    const seconds = fc.uniqueArray(fc.nat({ max: 500 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(seconds, fc.nat({ max: 500 }), fc.nat({ max: 20 }), (all, second, size) => {
        const log = logOf();
        const notes = new RestartPlaces();
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
