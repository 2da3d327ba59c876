import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Claim,
  claimLabels,
  claimStep,
  readClaim,
} from '../../../source/host/cluster/claim.ts';

const own = { holder: 'aa', place: '/data on m1', since: '2030-01-01T00:00:00.000Z' };
const other = { holder: 'bb', place: '/copy on m2', since: '2030-01-02T00:00:00.000Z' };

describe('the claim of a host on its services', () => {
  test('is made by the first, and held by it after each of its ends', () => {
    const first = claimStep(undefined, own, false);
    expect(first).toEqual({ kind: 'create', claim: { ...own, term: 1 } });
    expect(claimStep(first.claim, { ...own, since: 'later' }, false)).toEqual({
      kind: 'hold',
      claim: first.claim,
    });
  });

  test('of another one is taken only when asked, with the next term', () => {
    const present: Claim = { ...other, term: 4 };
    expect(claimStep(present, own, false)).toEqual({ kind: 'refuse', claim: present });
    expect(claimStep(present, own, true)).toEqual({ kind: 'take', claim: { ...own, term: 5 } });
  });

  test('is held by the last that took it alone, with a term that no other had', () => {
    const start = fc.record({ holder: fc.constantFrom('a', 'b', 'c'), takesOver: fc.boolean() });
    fc.assert(
      fc.property(fc.array(start), (starts) => {
        let present: Claim | undefined;
        const holderOfTerm = new Map<number, string>();
        for (const { holder, takesOver } of starts) {
          const { kind, claim } = claimStep(present, { ...own, holder }, takesOver);
          if (kind === 'refuse') continue;
          expect(claim.holder).toBe(holder);
          expect(holderOfTerm.get(claim.term) ?? holder).toBe(holder);
          expect(claim.term).toBeGreaterThanOrEqual(present?.term ?? 0);
          holderOfTerm.set(claim.term, holder);
          present = claim;
        }
      }),
    );
  });

  test('is read from its labels; labels of anybody else are no claim of this host', () => {
    const claim: Claim = { ...own, term: 3 };
    expect(readClaim(claimLabels('host', claim))).toEqual(claim);
    expect(readClaim({})).toMatchObject({ holder: '', term: 0 });
  });
});
