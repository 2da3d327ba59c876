import { expect, test } from 'vitest';
import { openOnForeign } from './foreign-console.ts';
import { launch } from './harness.ts';

test.each([
  { cols: 80, rows: 24 },
  { cols: 40, rows: 12 },
  { cols: 120, rows: 36 },
])('a wrong token is named at once at $cols x $rows', async (size) => {
  await using deck = await openOnForeign({
    ...size,
    env: { HOSTDECK_TOKEN: 'a-wrong-token-of-ours' },
  });
  const { session } = deck;
  await session.waitFor('NOT SIGNED IN');
  await session.waitFor('The service rejected the token');
  await session.waitFor('HOSTDECK_TOKEN');
  await session.waitFor(':token     enter another token');
  await session.waitFor(':profile   switch profile');
  expect(session.screen).not.toContain('a-wrong-token-of-ours');
  session.press('!');
  await session.waitFor(/Token for 127\.0\.0\.1:\d+:/);
});

test('a token without a base URL is named as not used', async () => {
  await using session = launch({ env: { HOSTDECK_TOKEN: 'a-token-for-elsewhere' } });
  await session.waitFor('HOSTDECK_TOKEN is not used');
  expect(session.screen).not.toContain('a-token-for-elsewhere');
});
