import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Grant, deriveGrantState } from '../../../source/contract/grants.ts';
import {
  type NoticeContext,
  type GrantsSnapshot,
  grantNotices,
  joinNotices,
} from '../../../source/store/grants/notices.ts';
import { read } from '../requests.ts';

const now = Date.UTC(2026, 10, 21, 12);
const me = '0x9f000000000000000000000000000000000000a1';
const dana = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';
const other = '0x7700000000000000000000000000000000000001';

const given: Grant = {
  id: 'given',
  grantor: me,
  grantee: dana,
  limit: 50,
  spent: 12.5,
  expires_at: new Date(now + 1000).toISOString(),
  created_at: '2026-11-01T12:00:00Z',
};
const received: Grant = {
  ...given,
  id: 'received',
  grantor: other,
  grantee: me,
  limit: 10,
  spent: 2.5,
};

const around: NoticeContext = {
  caller: me,
  book: [{ name: 'Dana', address: dana.toUpperCase().replace('0X', '0x') }],
  isOwnChange: () => false,
  deployments: [],
};

const seen = (at: number, ...grants: readonly Grant[]): GrantsSnapshot => ({
  rows: grants.map((grant) => read(grant)),
  at,
});

const texts = (before: GrantsSnapshot, after: GrantsSnapshot, more: Partial<NoticeContext> = {}) =>
  grantNotices(before, after, { ...around, ...more }).map(({ text }) => text);

describe('a grant that was given', () => {
  const before = seen(now, given);

  it('reports a reached limit and the key for a new grant', () => {
    expect(texts(before, seen(now, { ...given, spent: 50 }))).toEqual([
      'Grant to Dana reached its limit of 50; spending stopped. A makes a new one.',
    ]);
  });

  it('reports its expiry without a new answer', () => {
    expect(texts(before, { ...before, at: now + 1000 })).toEqual([
      'Grant to Dana expired. A makes a new one.',
    ]);
    expect(texts(before, { ...before, at: now + 999 })).toEqual([]);
  });

  it('does not report a revocation, which only its grantor can make', () => {
    expect(texts(before, seen(now, { ...given, status: 'revoked' }))).toEqual([]);
  });

  it('reports that it is not listed, unless it was revoked here or had ended', () => {
    expect(texts(before, seen(now))).toEqual(['Grant to Dana is not listed.']);
    expect(texts(before, seen(now), { isOwnChange: (id) => id === 'given' })).toEqual([]);
    expect(texts(seen(now + 1000, given), seen(now + 2000))).toEqual([]);
  });

  it('has expired if it disappears after its expiry', () => {
    expect(texts(before, seen(now + 5000))).toEqual(['Grant to Dana expired. A makes a new one.']);
  });
});

describe('a grant that was received', () => {
  const before = seen(now, received);
  const revoked = { ...received, revoked_at: '2026-11-21T11:00:00Z' };
  const deployments = ['shop', 'worker'];

  it('names the deployments that it may have paid for', () => {
    expect(texts(before, seen(now, revoked), { deployments })).toEqual([
      'The grant from 0x77..01 was revoked. shop and worker may be paid by your own balance now.',
    ]);
    expect(texts(before, seen(now, { ...received, spent: 10 }), { deployments })).toEqual([
      'The grant from 0x77..01 reached its limit of 10; spending stopped. ' +
        'shop and worker may be paid by your own balance now.',
    ]);
  });

  it('names another possible payer', () => {
    const another = { ...received, id: 'another', expires_at: '2027-01-01T00:00:00Z' };
    const [text] = texts(seen(now, received, another), seen(now, revoked, another), {
      deployments: ['a', 'b', 'c', 'd', 'e'],
    });
    expect(text).toContain(
      'a, b, c and 2 more may be paid by another grant or your own balance now.',
    );
  });

  it('has paid for nothing if nothing was spent', () => {
    const unspent = { ...received, spent: 0 };
    const after = seen(now, { ...revoked, spent: 0 });
    expect(texts(seen(now, unspent), after, { deployments })).toEqual([
      'The grant from 0x77..01 was revoked.',
    ]);
  });

  it('pays for nothing after its limit was reached, however it ends', () => {
    const reached = seen(now, { ...received, spent: 10 });
    expect(texts(reached, seen(now), { deployments })).toEqual([
      'The grant from 0x77..01 is not listed; it may have been revoked.',
    ]);
    expect(texts(reached, { ...reached, at: now + 1000 }, { deployments })).toEqual([
      'The grant from 0x77..01 expired.',
    ]);
  });

  it('may have been revoked if it is not listed', () => {
    expect(texts(before, seen(now))).toEqual([
      'The grant from 0x77..01 is not listed; it may have been revoked.',
    ]);
  });

  it('is reported when it is new and active', () => {
    expect(texts(seen(now), before)).toEqual([
      `New grant from 0x77..01: up to 10 until ${received.expires_at}.`,
    ]);
    expect(texts(seen(now), seen(now, revoked, given))).toEqual([]);
  });
});

describe('many grants at once', () => {
  it('are reported as new when they are received', () => {
    const many = [
      { ...received, id: '1' },
      { ...received, id: '2' },
      { ...received, id: '3' },
    ];
    const notices = grantNotices(seen(now), seen(now, ...many), around);
    expect(joinNotices(notices)).toBe('3 grants changed: 3 new.');
  });
});

describe('a grant of an unknown direction', () => {
  it('is named by both parties', () => {
    const after = seen(now + 1000, given);
    expect(texts(seen(now, given), after, { caller: undefined })).toEqual([
      'The grant from 0x9f..a1 to Dana expired.',
    ]);
  });
});

describe('several notices', () => {
  it('are joined: two in full, more as counts', () => {
    const notices = grantNotices(
      seen(now, given, received, { ...given, id: '3' }),
      seen(now + 1000, { ...given, status: 'revoked' }, received, { ...given, id: '3' }),
      around,
    );
    expect(notices.map(({ turn }) => turn)).toEqual(['expired', 'expired']);
    expect(joinNotices(notices)).toBe(
      'The grant from 0x77..01 expired. Grant to Dana expired. A makes a new one.',
    );
    const [one] = notices;
    if (one === undefined) throw new Error('no notice');
    expect(joinNotices([one, one, { ...one, turn: 'revoked' }])).toBe(
      '3 grants changed: 2 expired, 1 revoked.',
    );
    expect(joinNotices([])).toBeUndefined();
  });
});

const anyGrant = fc.record({
  id: fc.constantFrom('1', '2', '3', '4'),
  given: fc.boolean(),
  spent: fc.constantFrom(0, 5, 10),
  expires: fc.integer({ min: -2, max: 4 }),
  revoked: fc.boolean(),
});
const anyList = fc.uniqueArray(anyGrant, { maxLength: 4, selector: ({ id }) => id }).map((list) =>
  list.map(({ id, given: isGiven, spent, expires, revoked }) => ({
    ...(isGiven ? given : received),
    id,
    limit: 10,
    spent,
    expires_at: new Date(now + expires * 1000).toISOString(),
    ...(revoked ? { status: 'revoked' } : {}),
  })),
);

it('any two lists give each grant at most one notice, about its current state', () => {
  fc.assert(
    fc.property(anyList, anyList, fc.nat(3), (was, is, seconds) => {
      const before = seen(now, ...was);
      const after = seen(now + seconds * 1000, ...is);
      const notices = grantNotices(before, after, around);
      expect(new Set(notices.map(({ id }) => id)).size).toBe(notices.length);
      for (const { id, turn, text } of notices) {
        const grant = is.find((one) => one.id === id);
        const old = was.find((one) => one.id === id);
        if (turn === 'not listed') expect(grant).toBeUndefined();
        else if (turn === 'received') expect(old).toBeUndefined();
        else {
          expect(deriveGrantState(grant ?? old ?? given, after.at)).toBe(turn);
          expect(old === undefined ? turn : deriveGrantState(old, before.at)).not.toBe(
            old === undefined ? undefined : turn,
          );
        }
        expect(text).toMatch(/^[A-Z].*\.$/);
      }
      expect(grantNotices(after, after, around)).toEqual([]);
    }),
  );
});

describe('the sequence of the grants', () => {
  const grants = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      spent: fc.constantFrom(1, 50),
      status: fc.constantFrom(undefined, 'revoked'),
      grantor: fc.constantFrom(me, other),
    }),
    { selector: ({ id }) => id },
  );

  it('changes no notice', () => {
    fc.assert(
      fc.property(grants, grants, (before, after) => {
        const old = before.map((one) => ({ ...received, ...one }));
        const next = after.map((one) => ({ ...received, ...one }));
        const reported = (rows: readonly Grant[]) =>
          grantNotices(seen(now, ...old), seen(now + 2000, ...rows), around).toSorted((a, b) =>
            a.id < b.id ? -1 : 1,
          );
        expect(reported(next.toReversed())).toEqual(reported(next));
      }),
    );
  });
});
