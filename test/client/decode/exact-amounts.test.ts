import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeGrants, restoreExactAmounts } from '../../../source/client/decode/grants.ts';
import { formatGrantAmounts, deriveGrantState } from '../../../source/contract/grants.ts';
import { toJsonDecimal } from '../../../source/host/money/json-decimal.ts';
import { formatDecimal } from '../../../source/contract/decimal.ts';

const answer = (limit: string, spent: string) =>
  `{"grants": [{"id": "1", "grantor": "a", "grantee": "b", "limit": ${limit}, "spent": ${spent},
    "expires_at": "2100-01-01T00:00:00Z", "created_at": "2026-01-01T00:00:00Z"}]}`;

async function grantIn(text: string) {
  const list = await decodeGrants(JSON.parse(text), text);
  const grant = list.ok ? list.value[0]?.value : undefined;
  if (grant === undefined) throw new Error('no grant');
  return grant;
}

describe('amounts in an answer', () => {
  it('keep the digits that a double would lose, as a number and as text', async () => {
    const exact = { limit: '50', spent: '49.999999999999999999' };
    for (const spent of [exact.spent, `"${exact.spent}"`]) {
      const grant = await grantIn(answer('50', spent));
      expect(grant.spent).toBe(50);
      expect(formatGrantAmounts(grant)).toEqual(exact);
      expect(deriveGrantState(grant, 0)).toBe('active');
    }
    expect(deriveGrantState(await grantIn(answer('50', '50.000000000000000000')), 0)).toBe(
      'limit reached',
    );
  });

  it('have no float noise of the service', async () => {
    const grant = await grantIn(answer('10', '0.30000000000000004'));
    expect(formatGrantAmounts(grant)).toEqual({ limit: '10', spent: '0.3' });
    expect(grant.spent_digits).toBeUndefined();
  });

  it('of the host are read to the last digit', async () => {
    const atoms = fc.bigInt({ min: 0n, max: 10n ** 24n });
    await fc.assert(
      fc.asyncProperty(atoms, atoms, async (spent, more) => {
        const limit = spent + more;
        const text = JSON.stringify({ limit: toJsonDecimal(limit), spent: toJsonDecimal(spent) });
        expect(JSON.parse(text)).toEqual({
          limit: Number(formatDecimal(limit)),
          spent: Number(formatDecimal(spent)),
        });
        const [, limitText = '', spentText = ''] = /"limit":(.*),"spent":(.*)\}/.exec(text) ?? [];
        const grant = await grantIn(answer(limitText, spentText));
        expect(formatGrantAmounts(grant)).toEqual({
          limit: formatDecimal(limit),
          spent: formatDecimal(spent),
        });
        expect(deriveGrantState(grant, 0)).toBe(more === 0n ? 'limit reached' : 'active');
      }),
    );
  });

  it('are not searched in other strings', () => {
    const grant = { limit: 1, note: '{"spent": 1.00000000000000001, "limit": 2.0000000000000000}' };
    const text = JSON.stringify({ grants: [grant], '"limit': 'x', spent: 1 });
    const json: unknown = JSON.parse(text);
    expect(restoreExactAmounts(json, text)).toBe(json);
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, note) => {
        const noted = {
          value,
          note: `"${note}"limit": 1.00000000000000001,"spent":`,
          '"limit"': 1,
        };
        expect(restoreExactAmounts(noted, JSON.stringify(noted))).toBe(noted);
      }),
    );
  });
});
