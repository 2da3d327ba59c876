import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GrantsClient } from '../../../source/client/grants.ts';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import type { Grant } from '../../../source/contract/grants.ts';
import { callerWallet, createGrants, grantDirection } from '../../../source/store/grants/grants.ts';
import { createTestClock } from '../../support/clock.ts';
import { createRequests, read, success, unexpected } from '../requests.ts';

const grant = (grantor: string, grantee: string, id = `${grantor}-${grantee}`) =>
  read<Grant>({
    id,
    grantor,
    grantee,
    limit: 50,
    spent: 0,
    expires_at: '2026-12-21T01:04:00Z',
    created_at: '2026-11-21T01:04:00Z',
  });

it('lists grants by their id', async () => {
  const requests = createRequests<readonly DecodedRecord<Grant>[]>();
  const client: GrantsClient = {
    list: (signal) => requests.send([], signal),
    create: unexpected,
    revoke: unexpected,
  };
  const { list } = createGrants({ client, clock: createTestClock() });
  void list.refresh();
  await requests.last().answer(success([grant('0xa', '0xb', '1'), grant('0xa', '0xc', '2')]));
  const [first] = list.state.getState().rows;
  void list.refresh();
  await requests.last().answer(success([grant('0xa', '0xb', '1')]));
  expect(list.state.getState().rows).toEqual([grant('0xa', '0xb', '1')]);
  expect(list.state.getState().rows[0]).toBe(first);
});

describe("the caller's wallet", () => {
  it('is the configured one regardless of the grants', () => {
    expect(callerWallet([grant('0xa', '0xb')], '0xc')).toBe('0xc');
  });

  it('is the only party of every grant', () => {
    expect(callerWallet([grant('0xa', '0xb'), grant('0xc', '0xa')], undefined)).toBe('0xa');
  });

  it('is unknown without a grant, with two common parties and with none', () => {
    expect(callerWallet([], undefined)).toBeUndefined();
    expect(callerWallet([grant('0xa', '0xb')], undefined)).toBeUndefined();
    expect(callerWallet([grant('0xa', '0xb'), grant('0xb', '0xa')], undefined)).toBeUndefined();
    expect(callerWallet([grant('0xa', '0xb'), grant('0xc', '0xd')], undefined)).toBeUndefined();
  });

  it('is derived from a grant to oneself', () => {
    expect(callerWallet([grant('0xa', '0xa')], undefined)).toBe('0xa');
    expect(callerWallet([grant('0xAB', '0xab')], undefined)).toBe('0xAB');
    expect(callerWallet([grant('0xa', '0xa'), grant('0xb', '0xa')], undefined)).toBe('0xa');
  });

  it('ignores the case of hexadecimal addresses only', () => {
    expect(callerWallet([grant('0xAb', '0xcd'), grant('0xef', '0XAB')], undefined)).toBe('0xAb');
    expect(callerWallet([grant('0xab', '0xcd'), grant('0xAB', '0xCD')], undefined)).toBeUndefined();
    expect(callerWallet([grant('akash1Ab', 'x'), grant('akash1aB', 'y')], undefined)).toBe(
      undefined,
    );
  });

  it('is found among any parties in any order', () => {
    const address = fc.integer({ min: 1, max: 0xffff }).map((number) => `0x${number.toString(16)}`);
    const side = fc.record({ other: address, given: fc.boolean(), upper: fc.boolean() });
    fc.assert(
      fc.property(fc.array(side, { minLength: 2, maxLength: 6 }), (sides) => {
        fc.pre(new Set(sides.map(({ other }) => other)).size > 1);
        const caller = '0xabcdef01';
        const rows = sides.map(({ other, given, upper }) => {
          const mine = upper ? caller.toUpperCase().replace('X', 'x') : caller;
          return given ? grant(mine, other) : grant(other, mine);
        });
        expect(callerWallet(rows, undefined)?.toLowerCase()).toBe(caller);
      }),
    );
  });
});

describe('the direction of a grant', () => {
  it('is seen from the caller', () => {
    const { value } = grant('0xa', '0xb');
    expect(grantDirection(value, '0xa')).toBe('given');
    expect(grantDirection(value, '0xB')).toBe('received');
    expect(grantDirection(value, '0xc')).toBe('unknown');
    expect(grantDirection(value, undefined)).toBe('unknown');
  });

  it('is given for a grant to oneself, because its grantor may revoke it', () => {
    expect(grantDirection(grant('0xAb', '0xaB').value, '0xab')).toBe('given');
  });
});
