import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinNames, memberColours, memberLabels } from '../../../source/view/log/members.ts';

const ids = fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{8}-[0-9]{1,4}$/), {
  minLength: 1,
  maxLength: 8,
});

describe('the deployments of one tail', () => {
  it('are labelled with their names', () => {
    const members = [
      { id: 'a', name: 'shop' },
      { id: 'b', name: 'shop-2' },
    ];
    expect(memberLabels(members)).toEqual(['shop', 'shop-2']);
  });

  it('keep both ends of long names', () => {
    const members = [
      { id: 'a', name: 'payments-production-eu' },
      { id: 'b', name: 'payments-production-us' },
    ];
    expect(memberLabels(members)).toEqual(['payment..tion-eu', 'payment..tion-us']);
  });

  it('are labelled with their ids when names are equal', () => {
    const members = [
      { id: '3f0c2a', name: 'shop' },
      { id: '77aa01', name: 'shop' },
      { id: 'b1', name: '\u0007' },
    ];
    expect(memberLabels(members).slice(0, 2)).toEqual(['3f0c2a', '77aa01']);
  });

  it('have unique and stable labels and colours', () => {
    fc.assert(
      fc.property(ids, fc.array(fc.string({ maxLength: 24 }), { maxLength: 8 }), (all, names) => {
        const members = all.map((id, index) => ({ id, name: names[index] ?? 'same' }));
        expect(new Set(memberLabels(members)).size).toBe(all.length);
        const colours = memberColours(all);
        expect(new Set(colours).size).toBe(all.length);
        expect(memberColours(all)).toEqual(colours);
      }),
    );
  });

  it('are all named up to a limit, and counted beyond it', () => {
    expect(joinNames(['a', 'b'], 2)).toBe('a + b');
    expect(joinNames(['a', 'b', 'c'], 2)).toBe('a + 2 more');
  });
});
