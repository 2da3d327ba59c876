import { expect, it } from 'vitest';
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
