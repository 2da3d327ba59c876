import { expect, test } from 'vitest';
import { type ForeignConsole, openOnForeign, pressUntil } from './foreign-console.ts';

function restartsSent({ foreign }: ForeignConsole): number {
  return foreign.requests.filter(({ path }) => path.endsWith('/restart')).length;
}

/** Opens the box and waits until it is seen; its Enter counts a little later. */
async function openBox(deck: ForeignConsole): Promise<void> {
  await deck.session.waitFor('[4 Logs bazaar]');
  deck.session.press('r');
  await deck.session.waitFor('restart bazaar?');
  await deck.session.waitFor('[Cancel]   Restart now');
}

test('the box opens on Cancel, and Enter there sends nothing', async () => {
  await using deck = await openOnForeign();
  await openBox(deck);
  const { session } = deck;
  session.press('tab');
  await session.waitFor('Cancel   [Restart now]');
  session.press('tab');
  await session.waitFor('[Cancel]   Restart now');
  await pressUntil(session, 'enter', (now) => !now.screen.includes('restart bazaar?'));
  expect(restartsSent(deck)).toBe(0);
});

test('what was typed ahead of the box never answers it', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('r', 'tab', 'enter', 'enter');
  await session.waitFor('Cancel   [Restart now]');
  session.press('?');
  session.press('shift+tab');
  await session.waitFor('[Cancel]   Restart now');
  expect(restartsSent(deck)).toBe(0);
});

test('chosen and entered, one restart is sent and its outcome is said', async () => {
  await using deck = await openOnForeign();
  await openBox(deck);
  const { session } = deck;
  session.press('tab');
  await session.waitFor('Cancel   [Restart now]');
  await pressUntil(deck.session, 'enter', (now) => !now.screen.includes('restart bazaar?'));
  await session.waitFor('bazaar is restarting');
  expect(restartsSent(deck)).toBe(1);
});

test('a refused restart is reported with its status and the key, and stays in the list', async () => {
  await using deck = await openOnForeign();
  await openBox(deck);
  const { session, foreign } = deck;
  session.press('tab');
  await session.waitFor('Cancel   [Restart now]');
  foreign.failNext(1, { status: 503, method: 'POST' });
  await pressUntil(deck.session, 'enter', (now) => !now.screen.includes('restart bazaar?'));
  await session.waitFor('Restart of bazaar failed (503). r: restart again.');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('r: restart again'));
  session.press('1');
  await session.waitFor(/restart failed .* r: again/);
});
