import { expect, test } from 'vitest';
import { environmentOf } from './foreign-console.ts';
import { launch } from './harness.ts';
import { startTwoServices } from './two-services.ts';

test('a named profile sends nothing to the service that the environment names', async () => {
  await using services = await startTwoServices('readOnly: true');
  const { home, blue, prod } = services;
  const before = blue.requests.length;
  const env = environmentOf(blue);
  await using session = launch({ home, env, args: ['--profile', 'prod'] });
  await session.waitFor('HOSTDECK_BASE_URL and HOSTDECK_TOKEN are not used');
  await session.waitFor('READ-ONLY');
  session.press('1');
  await session.waitFor('shopfront');
  const writes = prod.writes().length;
  session.press('X');
  await session.waitFor('PROD is read-only.');
  session.press('ctrl+c', 'ctrl+c');
  await using logs = launch({ home, env, args: ['logs', '--profile', 'prod', 'shopfront'] });
  await logs.waitFor('PROD');
  await logs.waitFor('shopfront');
  expect(blue.requests).toHaveLength(before);
  expect(prod.writes()).toHaveLength(writes);
});
