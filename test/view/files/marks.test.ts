import { expect, it } from 'vitest';
import type { Restart } from '../../../source/store/restarts/state.ts';
import { fileMarks } from '../../../source/view/files/marks.ts';

const place = { deploymentId: 'shop', service: 'web' };
const draft = (path: string, of: Partial<typeof place> = {}) => ({ ...place, ...of, path, at: 0 });
const changed = (...paths: string[]): Restart => ({
  kind: 'unapplied',
  changes: { files: paths.map((path) => ({ service: 'web', path })), since: 0 },
});

it('marks unapplied changes, drafts and new files', () => {
  const marks = fileMarks(place, [draft('b'), draft('c')], changed('a', 'b'), new Set(['c']));
  expect(Object.fromEntries(marks)).toEqual({ a: 'unapplied', b: 'draft', c: 'new' });
});

it('ignores files of the same name in other services', () => {
  const drafts = [draft('a', { service: 'worker' }), draft('a', { deploymentId: 'other' })];
  expect(fileMarks(place, drafts, undefined, new Set()).size).toBe(0);
  expect(fileMarks({ ...place, service: 'worker' }, [], changed('a'), new Set()).size).toBe(0);
  expect(fileMarks(undefined, [draft('a')], changed('a'), new Set()).size).toBe(0);
});

it('marks changes during a restart as unapplied', () => {
  const files = (path: string) => ({ files: [{ service: 'web', path }], since: 0 });
  const restarting: Restart = {
    kind: 'restarting',
    since: 0,
    request: 1,
    changes: files('a'),
    later: files('b'),
    laterCancelled: false,
  };
  expect([...fileMarks(place, [], restarting, new Set()).keys()].toSorted()).toEqual(['a', 'b']);
});
