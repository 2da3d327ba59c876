import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { launchOnForeign } from './foreign-console.ts';
import { launch, type Session } from './harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A start that shows the skeleton for as long as it takes to find the token. */
function slowStart(tokenCommand: string, env: Readonly<Record<string, string>> = {}): Session {
  return launch({
    cols: 120,
    rows: 36,
    env: {
      HOSTDECK_BASE_URL: 'http://127.0.0.1:1',
      HOSTDECK_TOKEN_COMMAND: tokenCommand,
      ...env,
    },
  });
}

function expectAsFound(session: Session): void {
  expect(session.terminal.modes).toMatchObject({ alternateScreen: false, cursorVisible: true });
  expect(session.screen).not.toContain('Deployments');
}

test('titles and keys are there before the token is', async () => {
  await using session = slowStart('sleep 30; echo x');
  await session.waitFor('Enter logs');
  expect(session.terminal.rows[0]).toBe('127.0.0.1:1');
  expect(session.terminal.rows[1]).toMatch(/^\[1 Deployments\] ━+┬ 4 Logs ─+$/);
  expect(session.terminal.modes).toMatchObject({ alternateScreen: true, cursorVisible: false });
});

test('keys typed on the skeleton are not echoed, and act when the console is there', async () => {
  await using session = slowStart('sleep 0.3; echo x');
  await session.waitFor('Enter logs');
  session.press('3');
  await session.waitFor('[3 Grants');
  expect(session.terminal.rows[0]).toMatch(/^127\.0\.0\.1/);
});

test('^C on the skeleton ends the program and leaves the terminal as it was', async () => {
  await using session = slowStart('sleep 30; echo x');
  await session.waitFor('Enter logs');
  session.press('ctrl+c');
  expect(await session.exited).toMatchObject({ code: 130 });
  expectAsFound(session);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s on the skeleton leaves the terminal as it was', async (signal, code) => {
  await using session = slowStart('sleep 30; echo x');
  await session.waitFor('Enter logs');
  session.kill(signal);
  expect(await session.exited).toMatchObject({ code });
  expectAsFound(session);
});

test('a fault on the skeleton leaves the terminal as it was, with one sentence', async () => {
  await using session = slowStart('sleep 30; echo x', {
    NODE_OPTIONS: `--import ${path.join(root, 'test/fixtures/throw-on-signal.ts')}`,
  });
  await session.waitFor('Enter logs');
  session.kill('SIGUSR2');
  expect(await session.exited).toMatchObject({ code: 1 });
  expectAsFound(session);
  expect(session.screen).toContain('hostdeck could not start: ');
  expect(session.screen).not.toMatch(/\bat .*:\d+:\d+/);
});

test('a start that fails says why on the screen it came from', async () => {
  await using session = slowStart('sleep 0.2; exit 3');
  expect(await session.exited).toMatchObject({ code: 1 });
  expectAsFound(session);
  expect(session.screen).toContain("Can't read the token of HOSTDECK_TOKEN_COMMAND (3).");
  expect(session.transcript).toContain('1 Deployments');
});

test('compiled code is kept for the next start, for nobody else to read', async () => {
  const cache = temporaryFolder();
  await using deck = await launchOnForeign({ env: { XDG_CACHE_HOME: cache } });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.kill('SIGTERM');
  await session.exited;
  const folder = path.join(cache, 'hostdeck');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(2);
});

test('without a place for compiled code it starts as well', async () => {
  await using deck = await launchOnForeign({ env: { XDG_CACHE_HOME: '/proc/none' } });
  await deck.session.waitFor('[4 Logs bazaar]');
});
