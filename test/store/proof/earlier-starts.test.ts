import { describe, expect, it } from 'vitest';
import { earlierStarts, type StartSources } from '../../../source/store/proof/earlier-starts.ts';
import type { ProofRecord } from '../../../source/store/proof/proof-record.ts';

const minute = 60_000;
const restartedAt = 100 * minute;
const iso = (minutes: number) => new Date(minutes * minute).toISOString();

const nothing: StartSources = {
  before: undefined,
  service: 'web',
  requested: [],
  logged: [],
  ended: [],
  records: [],
};

const record = (at: number, verdict: ProofRecord['verdict']): ProofRecord => ({
  deploymentId: 'd',
  name: 'shop',
  at: at * minute,
  changedFrom: 0,
  requestedAt: 0,
  files: [],
  verdict,
  isJudged: true,
  isUndone: false,
  samples: [],
});

const minutesOf = (sources: Partial<StartSources>) =>
  earlierStarts({ ...nothing, ...sources }, restartedAt, 30).map(({ at }) => at / minute);

it('starts are told by the deployment, by restarts from here, by the log and by records', () => {
  const before = {
    id: 'd',
    createdAt: iso(1),
    restartedAt: iso(20),
    services: [
      { name: 'web', startedAt: iso(40) },
      { name: 'worker', startedAt: iso(50) },
    ],
  };
  const requested = [30 * minute, restartedAt];
  const records = [record(60, 'unclear')];
  expect(minutesOf({ before, requested, logged: [70 * minute], records })).toEqual([
    70, 60, 40, 30, 20,
  ]);
  expect(minutesOf({ before: { id: 'd', createdAt: iso(1), services: [] } })).toEqual([1]);
});

it('a start that several sources tell a moment apart is one, from its first moment on', () => {
  const logged = [40 * minute + 900, 40 * minute + 6000];
  expect(minutesOf({ requested: [40 * minute], logged })).toEqual([40]);
});

it('runs that ended before they were as old as the proof are left out', () => {
  expect(minutesOf({ logged: [10 * minute, 10 * minute + 20_000, 99.9 * minute] })).toEqual([
    10 + 1 / 3,
  ]);
  expect(minutesOf({ logged: [10 * minute, 20 * minute], ended: [10 * minute + 300] })).toEqual([
    20,
  ]);
});

it('the end of the run before, which the restart itself stops, is no end of the new one', () => {
  const restart = 10 * minute;
  const requested = [restart, 20 * minute];
  const logged = [restart + 900];
  const stopped = restart + 300;
  expect(minutesOf({ requested, logged, ended: [stopped] })).toEqual([20, 10]);
  expect(minutesOf({ requested, logged, ended: [stopped, restart + 2000] })).toEqual([20]);
});

it('starts of a run that was worse are left out up to the next restart', () => {
  const records = [record(30, 'worse'), record(50, 'no worse')];
  const logged = [10, 30, 35, 45, 50, 60].map((minutes) => minutes * minute);
  expect(minutesOf({ records, logged })).toEqual([60, 50, 10]);
});

describe('where a rollout replaces instances step by step', () => {
  const at = 40 * minute;
  const seconds = (time: number) => time / 1000;
  /** A trial, two instances that start, and those that they replace. */
  const [trial, first, last] = [at + 3000, at + 15_000, at + 18_000] as const;
  const rollout: Partial<StartSources> = {
    before: {
      id: 'd',
      createdAt: iso(1),
      restartedAt: iso(40),
      services: [{ name: 'web', state: 'active', startedAt: new Date(last).toISOString() }],
    },
    logged: [trial, first, last],
    ended: [first + 1000, last + 1000, last + 2000],
  };
  const startsOf = (sources: Partial<StartSources>, isRollout = true) =>
    earlierStarts({ ...nothing, ...rollout, ...sources }, restartedAt, 30, isRollout).map(
      (start) => [seconds(start.at - at), start.endsRollout],
    );
  const samples = (length: number) => {
    const counts = Array.from({ length }, () => 1);
    return [{ service: 'web', lines: counts, errors: counts, errorsFrom: 2 }];
  };

  it('it counts from the last start of the instances that run, whatever ended behind that', () => {
    expect(startsOf({})).toEqual([[18, true]]);
    expect(startsOf({}, false)).toEqual([[seconds(1 * minute - at), false]]);
  });

  it('it counts only while all of its instances run', () => {
    const services = [
      { name: 'web', state: 'restarting', startedAt: new Date(last).toISOString() },
    ];
    expect(startsOf({ before: { id: 'd', services } })).toEqual([]);
  });

  it('it does not count before it is as old as the proof', () => {
    const sources = { ...nothing, ...rollout };
    expect(earlierStarts(sources, last + 29_000, 30, true).map((start) => start.at)).toEqual([
      minute,
    ]);
    expect(earlierStarts(sources, last + 30_000, 30, true).map((start) => start.at)).toEqual([
      last,
    ]);
  });

  it('earlier ones count that were proved, and none counts twice', () => {
    const proved = (minutes: number, length = 30): ProofRecord => ({
      ...record(minutes, 'no worse'),
      samples: samples(length),
    });
    const logged = [...(rollout.logged ?? []), 20 * minute + 15_000];
    const ended = [...(rollout.ended ?? []), 20 * minute + 16_000];
    const between = { logged, ended };
    expect(startsOf({ ...between, records: [proved(20)] })).toEqual([
      [18, true],
      [seconds(20 * minute - at), false],
    ]);
    expect(startsOf({ ...between, records: [proved(20), proved(40)] })).toEqual([
      [0, false],
      [seconds(20 * minute - at), false],
    ]);
    expect(startsOf({ ...between, records: [proved(20, 12)] })).toEqual([[18, true]]);
    const [whole] = samples(30);
    const unknown = { ...record(20, 'no worse'), samples: [{ ...whole, errorsFrom: undefined }] };
    expect(startsOf({ ...between, records: [unknown as ProofRecord] })).toEqual([[18, true]]);
  });

  it('it does not count when it was worse', () => {
    expect(startsOf({ records: [record(40, 'worse')] })).toEqual([
      [seconds(1 * minute - at), false],
    ]);
  });
});
