import { expect, it } from 'vitest';
import { isSavedSince } from '../../../../source/store/log/code/running-version.ts';

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`;
const line = (minute?: number) => ({
  serviceName: 'web',
  timestamp: minute === undefined ? undefined : at(minute),
});
const started = (minute: number) => ({ services: [{ name: 'web', startedAt: at(minute) }] });

it('a file saved after the start of its service is another version than the running one', () => {
  expect(isSavedSince(line(20), started(10), at(15))).toBe(true);
  expect(isSavedSince(line(20), started(10), at(25))).toBe(true);
  expect(isSavedSince(line(20), started(10), at(5))).toBe(false);
});

it('a line of an earlier run has another version if the file was saved after it', () => {
  expect(isSavedSince(line(5), started(10), at(7))).toBe(true);
  expect(isSavedSince(line(5), started(10), at(3))).toBe(false);
});

it('the restart of the deployment counts where no start of the service is known', () => {
  expect(isSavedSince(line(20), { services: [], restartedAt: at(10) }, at(15))).toBe(true);
  expect(isSavedSince(line(20), undefined, at(15))).toBe(false);
  expect(isSavedSince(line(20), undefined, at(25))).toBe(true);
});

it('is unknown without times', () => {
  expect(isSavedSince(line(20), started(10), undefined)).toBeUndefined();
  expect(isSavedSince(line(), undefined, at(15))).toBeUndefined();
  expect(isSavedSince(line(), started(10), at(15))).toBe(true);
});
