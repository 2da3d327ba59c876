import { expect, test } from 'vitest';
import { createClient } from '../../../source/client/client.ts';
import { createGrants } from '../../../source/store/grants/grants.ts';
import { type Foreign, startForeign } from '../../servers/foreign.ts';

const grantee = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';

/** Creates a grant of another wallet to the caller. */
async function lend(foreign: Foreign): Promise<void> {
  const client = createClient({ baseUrl: foreign.baseUrl, token: foreign.otherToken });
  const made = await client.grants.create({
    grantee: foreign.wallet,
    limit: '1',
    expires_at: '2100-01-01T00:00:00Z',
  });
  await client.close();
  if (!made.ok) throw new Error(made.error.sentence);
}

test('the wallet stays known when one grant is left, and is derived from a created grant', async () => {
  const foreign = await startForeign();
  const client = createClient({ baseUrl: foreign.baseUrl, token: foreign.token });
  const clock = { now: () => Date.now(), after: () => () => {} };
  const grants = createGrants({ client: client.grants, clock });
  expect(grants.wallet()).toBeUndefined();
  await grants.create({ grantee, limit: '1', expires_at: '2100-01-01T00:00:00Z' });
  expect(grants.wallet()).toBe(foreign.wallet);
  const later = createGrants({ client: client.grants, clock });
  await lend(foreign);
  await later.list.refresh();
  expect(later.wallet()).toBe(foreign.wallet);
  for (const [id, { grantor }] of foreign.grants) {
    if (grantor !== foreign.wallet) foreign.grants.delete(id);
  }
  await later.list.refresh();
  expect(later.list.state.getState().rows).toHaveLength(1);
  expect(later.wallet()).toBe(foreign.wallet);
  await client.close();
  await foreign.close();
});
