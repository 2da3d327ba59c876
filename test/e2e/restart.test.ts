import { expect, test } from 'vitest';
import { type ForeignConsole, launchOnForeign, pressUntil } from './foreign-console.ts';

function restartsSent({ foreign }: ForeignConsole): number {
  return foreign.requests.filter(({ path }) => path.endsWith('/restart')).length;
}

/** Opens the box and waits until it is seen; its Enter counts a little later. */
async function openBox(console: ForeignConsole): Promise<void> {
  await console.session.waitFor('[4 Logs bazaar]');
  console.session.press('r');
  await console.session.waitFor('restart bazaar?');
  await console.session.waitFor('[Cancel]   Restart now');
}

test('the box opens on Cancel, and Enter there sends nothing', async () => {
  await using console = await launchOnForeign();
  await openBox(console);
  const { session } = console;
  session.press('tab');
  await session.waitFor('Cancel   [Restart now]');
  session.press('tab');
  await session.waitFor('[Cancel]   Restart now');
  await pressUntil(session, 'enter', (now) => !now.screen.includes('restart bazaar?'));
  expect(restartsSent(console)).toBe(0);
});

test('what was typed ahead of the box never answers it', async () => {
  await using console = await launchOnForeign();
  const { session } = console;
  await session.waitFor('[4 Logs bazaar]');
  session.press('r', 'tab', 'enter', 'enter');
  await session.waitFor('Cancel   [Restart now]');
  session.press('?');
  session.press('shift+tab');
  await session.waitFor('[Cancel]   Restart now');
  expect(restartsSent(console)).toBe(0);
});

test('chosen and entered, one restart is sent and its outcome is said', async () => {
  await using console = await launchOnForeign();
  await openBox(console);
  const { session } = console;
  session.press('tab');
  await session.waitFor('Cancel   [Restart now]');
  await pressUntil(console.session, 'enter', (now) => !now.screen.includes('restart bazaar?'));
  await session.waitFor('Restart of bazaar accepted');
  expect(restartsSent(console)).toBe(1);
});

test('a refused restart says why and that r asks again, and stays in the list', async () => {
  await using console = await launchOnForeign();
  await openBox(console);
  const { session, foreign } = console;
  session.press('tab');
  await session.waitFor('Cancel   [Restart now]');
  foreign.failNext(1, { status: 503, method: 'POST' });
  await pressUntil(console.session, 'enter', (now) => !now.screen.includes('restart bazaar?'));
  await session.waitFor('Restart of bazaar failed: 503. r asks again.');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('r asks again'));
  session.press('1');
  await session.waitFor('restart failed, r');
});
