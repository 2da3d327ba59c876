import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findGrants } from '../../../source/commands/grants/revoke.ts';
import { problemOf } from '../problem-of.ts';

const grantWith = (id: string) => ({
  id,
  grantor: '0xa',
  grantee: '0xb',
  limit: 1,
  spent: 0,
  expires_at: '2027-01-01T00:00:00Z',
  created_at: '2026-01-01T00:00:00Z',
});
const grants = ['ab1', 'ab2', 'cd1'].map(grantWith);

it('finds grants by ids and beginnings, each once', () => {
  const found = findGrants(['ab1', 'c', 'cd1'], grants, false);
  expect(found.map(({ id }) => id)).toEqual(['ab1', 'cd1']);
});

it('names the candidates of a beginning that several have', () => {
  expect(problemOf(() => findGrants(['ab'], grants, false))).toMatchObject({
    exit: 2,
    candidates: [{ id: 'ab1' }, { id: 'ab2' }],
  });
});

it('wants whole ids where nobody confirms', () => {
  expect(problemOf(() => findGrants(['cd'], grants, true))).toMatchObject({
    exit: 2,
    candidates: [{ id: 'cd1' }],
  });
  expect(findGrants(['cd1'], grants, true)).toHaveLength(1);
});

it('ends with 3 for an id that no grant has', () => {
  expect(problemOf(() => findGrants(['cd1', 'x'], grants, false))).toMatchObject({ exit: 3 });
});

it('finds every grant by its whole id, also where it begins another one', () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(ids, (all) => {
      const found = findGrants(all, all.map(grantWith), true);
      expect(found.map(({ id }) => id)).toEqual(all);
    }),
  );
});
