import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeGrant, decodeGrants } from '../../../source/client/decode/grants.ts';

const grant = {
  id: 'g1',
  grantor: '0xa',
  grantee: '0xb',
  limit: 12.5,
  spent: 0.1,
  expires_at: '2027-01-01T00:00:00Z',
  created_at: '2026-01-01T00:00:00Z',
};

const received = { ...grant, id: 'g2', grantor: '0xb', grantee: '0xa' };

async function idsIn(answer: unknown): Promise<readonly string[]> {
  const grants = await decodeGrants(answer);
  if (!grants.ok) throw new Error(`${grants.field} ${grants.problem}`);
  return grants.value.map(({ value }) => value.id);
}

test.each([
  ['a bare list', [grant, received]],
  ['a named list', { success: true, grants: [grant, received] }],
  ['granted and received', { granted: [grant], received: [received] }],
  ['given and received', { given: [grant], received: [received] }],
  ['asGrantor and asGrantee', { asGrantor: [grant], asGrantee: [received] }],
  ['as_grantor and as_grantee', { as_grantor: [grant], as_grantee: [received] }],
  ['outgoing and incoming below data', { data: { outgoing: [grant], incoming: [received] } }],
  ['two lists below grants', { grants: { granted: [grant], received: [received] } }],
])('grants are read from %s', async (_, answer) => {
  expect(await idsIn(answer)).toEqual(['g1', 'g2']);
});

test('a grant in both lists is returned once', async () => {
  expect(await idsIn({ granted: [grant], received: [grant, received] })).toEqual(['g1', 'g2']);
});

test('one of the lists may be empty', async () => {
  expect(await idsIn({ granted: [], received: null })).toEqual([]);
  expect(await idsIn({ granted: null, received: [received] })).toEqual(['g2']);
});

test('the failing field is named with its list', async () => {
  const { spent: _, ...unspent } = grant;
  expect(await decodeGrants({ granted: [grant], received: [unspent] })).toEqual({
    ok: false,
    field: 'received[0].spent',
    problem: 'is missing',
  });
  expect(await decodeGrants({ nothing: 1 })).toMatchObject({
    field: 'grants',
    problem: 'is missing',
  });
});

test('both cases, amounts as strings, and a status are decoded', () => {
  const foreign = {
    id: 'g1',
    grantor: '0xa',
    grantee: '0xb',
    limit: '12.50',
    spent: '0.1',
    expiresAt: grant.expires_at,
    createdAt: grant.created_at,
    revokedAt: '2026-02-01T00:00:00Z',
    state: 'revoked',
    memo: 'hi',
  };
  expect(decodeGrant(foreign, '')).toEqual({
    ok: true,
    value: {
      value: { ...grant, revoked_at: '2026-02-01T00:00:00Z', status: 'revoked' },
      unknown: { memo: 'hi' },
    },
  });
});

test.each(['12,5', '', 'NaN', null, {}])('%j is not an amount', (limit) => {
  expect(decodeGrant({ ...grant, limit }, 'grant')).toMatchObject({ field: 'grant.limit' });
});

test('no JSON value makes it throw', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue(),
      fc.constantFrom('granted', 'received', 'grants'),
      async (json, key) => {
        expect(typeof (await decodeGrants(json)).ok).toBe('boolean');
        expect(typeof (await decodeGrants({ [key]: json })).ok).toBe('boolean');
        expect(typeof decodeGrant(json, '').ok).toBe('boolean');
      },
    ),
    { numRuns: 500 },
  );
});
