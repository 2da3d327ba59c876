import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startForeign } from '../servers/foreign.ts';
import { here } from './console-here.ts';
import { environmentOf, pressUntil } from './foreign-console.ts';
import { Home } from './harness-home.ts';
import { launch } from './harness.ts';
import { waitFor } from '../support/wait-for.ts';
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
  await using logs = launch({ home, env, args: ['logs', '--profile', 'prod', 'shopfront'] });
  await logs.waitFor('PROD');
  await logs.waitFor('shopfront');
  expect(blue.requests).toHaveLength(before);
  expect(prod.writes()).toHaveLength(writes);
});

test(':profile switches to another service and back, and loses neither draft nor countdown', async () => {
  await using services = await startTwoServices('restartDelay: 600');
  const { home, prod } = services;
  await using session = launch({ home, args: ['--profile', 'prod'], cols: 120, rows: 36 });
  const switchTo = async (name: string) => {
    session.press('f2');
    await session.waitFor(': command');
    session.type('profile\r');
    await session.waitFor('this machine');
    session.type(`${name}\r`);
  };
  await session.waitFor('README.md');
  session.press('2', 'G', 'e');
  await session.waitFor('EDIT');
  session.type('saved ');
  session.press('ctrl+s');
  await session.waitFor(/restart \d+s/);
  session.type('kept ');
  await session.waitFor('saved kept');
  const writes = prod.writes().length;
  await switchTo('blue');
  // A countdown of ten minutes is asked about.
  await session.waitFor('switch while restarts are pending?');
  session.press('up');
  await session.waitFor("> Switch, don't restart");
  await pressUntil(session, 'enter', ({ screen }) => screen.includes('bluebird'));
  expect(session.screen).not.toContain('PROD');
  await switchTo('prod');
  await session.waitFor('unfinished work');
  await session.waitFor('1 draft');
  session.press('escape');
  await session.waitFor('1 unapplied');
  expect(prod.writes()).toHaveLength(writes);
});

test(':token replaces a rejected token, shows it nowhere, and stores it when told to', async () => {
  await using services = await startTwoServices();
  const { home, prod } = services;
  const file = path.join(home.env['XDG_CONFIG_HOME'] ?? '', 'hostdeck', 'prod.token');
  writeFileSync(file, 'a-wrong-token-of-prod\n');
  await using session = launch({ home, args: ['--profile', 'prod'], cols: 120, rows: 36 });
  await session.waitFor('NOT SIGNED IN');
  await session.waitFor('It came from tokenFile, profile prod.');
  const enter = async (token: string) => {
    session.type(':');
    await session.waitFor(': command');
    session.type('token\r');
    await session.waitFor('Token for');
    session.type(token);
    await session.waitFor('*'.repeat(token.length));
    session.press('enter');
  };
  await enter('another-wrong-token');
  await session.waitFor('rejected this token too');
  await enter(prod.token);
  await session.waitFor('store the token?');
  await session.waitFor('shopfront');
  expect(readFileSync(file, 'utf8')).toBe('a-wrong-token-of-prod\n');
  await pressUntil(session, 'tab', ({ screen }) => screen.includes('[Store]'));
  await pressUntil(session, 'enter', ({ screen }) => screen.includes('Stored the token'));
  expect(readFileSync(file, 'utf8')).toBe(`${prod.token}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(session.transcript).not.toContain(prod.token);
  expect(session.transcript).not.toContain('another-wrong-token');
});

test('without a token nothing is sent; ! takes one, which is stored for the next start', async () => {
  const foreign = await startForeign();
  const home = new Home();
  const env = { HOSTDECK_BASE_URL: foreign.baseUrl };
  const file = path.join(
    home.env['XDG_CONFIG_HOME'] ?? '',
    'hostdeck',
    'tokens',
    encodeURIComponent(foreign.baseUrl),
  );
  try {
    await using first = launch({ home, env, cols: 120, rows: 36 });
    await first.waitFor('NOT SIGNED IN');
    await first.waitFor('No token is set.');
    expect(foreign.requests).toEqual([]);
    first.press('!');
    await first.waitFor('Token for');
    first.type(foreign.token);
    await first.waitFor('*'.repeat(foreign.token.length));
    first.press('enter');
    await first.waitFor('store the token?');
    await first.waitFor('which only you may read');
    await pressUntil(first, 'tab', ({ screen }) => screen.includes('[Store]'));
    await pressUntil(first, 'enter', ({ screen }) => !screen.includes('store the token?'));
    await waitFor(() => expect(statSync(file).mode & 0o777).toBe(0o600));
    await first.close();
    await using next = launch({ run: here, home, env, cols: 120, rows: 36 });
    await next.waitFor(/^>o bazaar/m);
  } finally {
    home.remove();
    await foreign.close();
  }
});
