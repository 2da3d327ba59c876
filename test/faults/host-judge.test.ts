import { describe, expect, it } from 'vitest';
import {
  type Cost,
  judgeLog,
  judgeMoney,
  judgeStream,
  judgeTree,
  type Money,
} from './host-judge.ts';

const tree = (files: Readonly<Record<string, string>>) => new Map(Object.entries(files));

describe('a tree', () => {
  const before = tree({ a: '1', b: '1' });
  const after = tree({ a: '2', b: '2' });

  it('is as it was answered, or whole as it was asked for', () => {
    expect(judgeTree('x', [before, after], tree({ b: '1', a: '1' }))).toEqual({
      tree: before,
      broken: [],
    });
    expect(judgeTree('x', [before, after], after).tree).toBe(after);
    expect(judgeTree('x', [before], after).broken).toHaveLength(1);
  });

  it.each([
    ['half of what was asked for', { a: '2', b: '1' }],
    ['short of a file', { a: '1' }],
    ['with one more', { a: '1', b: '1', c: '' }],
    ['with half a file', { a: '', b: '1' }],
  ])('is broken %s', (_, found) => {
    const { tree: which, broken } = judgeTree('x', [before, after], tree(found));
    expect(which).toBeUndefined();
    expect(broken).toEqual([expect.stringContaining('x is none of 2')]);
  });
});

describe('a log', () => {
  const lines = (...texts: readonly string[]) =>
    texts.map((text, index) => ({ id: index + 1, text }));
  const stored = lines('a', 'b', 'c');

  it('has every line that was seen, and more', () => {
    expect(judgeLog('x', lines('a', 'b'), stored)).toEqual([]);
    expect(judgeLog('x', [], stored)).toEqual([]);
  });

  it('lost none, and gave no number twice', () => {
    expect(judgeLog('x', lines('a', 'b', 'c', 'd'), stored)).toEqual([
      expect.stringContaining('1 lines that were seen are lost, 4 d'),
    ]);
    expect(judgeLog('x', [{ id: 2, text: 'other' }], stored)).toHaveLength(1);
  });

  it('has no holes, and does not begin later', () => {
    expect(judgeLog('x', [], [...stored, { id: 5, text: 'e' }])).toEqual(['x: line 5 is the 4th']);
    expect(judgeLog('x', [], stored.slice(1))).toHaveLength(1);
  });

  it('is streamed line by line', () => {
    expect(judgeStream('x', [4, 5, 6])).toEqual([]);
    expect(judgeStream('x', [4, 6])).toHaveLength(1);
    expect(judgeStream('x', [4, 5, 5])).toHaveLength(1);
  });
});

describe('money', () => {
  const cost: Cost = {
    name: 'shop',
    price: 6001n,
    paid: 1000n,
    owed: 0n,
    carry: 1000n,
    recorded: 6_001_000n,
    longest: 1000,
    ran: true,
  };
  const money: Money = {
    costs: [cost],
    lost: new Map([
      ['owner', 400n],
      ['sponsor', 600n],
    ]),
    grants: [{ grantor: 'sponsor', limit: 700n, spent: 600n }],
    grantors: ['sponsor'],
  };
  const broken = (more: Partial<Money>) => judgeMoney({ ...money, ...more });

  it('that was lost is what was paid, for the time that it was used', () => {
    // 1000 ms of 6001 a block are 1000 whole units, and 1000/6000 of one.
    expect(judgeMoney(money)).toEqual([]);
  });

  it('is not lost nor made by a unit', () => {
    for (const owner of [399n, 401n]) {
      const lost = new Map([...money.lost, ['owner', owner]] as const);
      expect(broken({ lost })).toEqual([expect.stringContaining('deployments cost 1000')]);
    }
  });

  it('of a grant is what its grantor lost, and within its limit', () => {
    const [grant] = money.grants;
    if (grant === undefined) throw new Error('no grant');
    expect(broken({ grants: [{ ...grant, spent: 599n }] })).toHaveLength(1);
    expect(broken({ grants: [{ ...grant, limit: 599n }] })).toHaveLength(1);
  });

  it('is not charged twice for a time, nor left out', () => {
    expect(broken({ costs: [{ ...cost, longest: 999 }] })).toHaveLength(1);
    expect(broken({ costs: [{ ...cost, carry: 999n }] })).toHaveLength(1);
    const unpaid = { ...cost, paid: 0n, carry: 0n, recorded: 0n };
    const lost = new Map([['owner', 0n]]);
    expect(broken({ costs: [unpaid], lost, grants: [] })).toHaveLength(1);
    const never = { ...unpaid, ran: false };
    expect(broken({ costs: [never], lost, grants: [] })).toEqual([]);
  });
});
