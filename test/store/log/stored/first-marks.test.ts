import { expect, it } from 'vitest';
import { withFirstMarks } from '../../../../source/store/log/stored/stored-view.ts';

const marks = {
  deploymentId: 'd',
  lines: [{ serviceName: 'web', timestamp: '2026-11-26T12:00:00Z', logLine: 'exited 1' }],
};
const view = {
  filters: [],
  marks: [{ service: 'web', at: '2026-11-26T12:00:00Z', text: 'exited 1' }],
};

it('the marks of an incident file are those of a log that was not read before', () => {
  expect(withFirstMarks(undefined, marks)).toEqual({ views: { d: view } });
  expect(withFirstMarks({ lists: [], views: { e: 1 } }, marks)).toEqual({
    lists: [],
    views: { e: 1, d: view },
  });
});

it('a log that was read keeps its own marks', () => {
  const stored = { views: { d: { filters: [], marks: [] } } };
  expect(withFirstMarks(stored, marks)).toBe(stored);
  expect(withFirstMarks(undefined, { ...marks, lines: [] })).toBeUndefined();
});
