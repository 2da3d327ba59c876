import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aThirdOf, paneKeys } from '../support/bound-keys.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { type Meddling, startMeddlingProxy } from '../servers/meddling-proxy.ts';
import { here } from './console-here.ts';
import { environmentOf, openOnForeign, pressUntil } from './foreign-console.ts';
import { Home } from './harness-home.ts';
import { launch, type Session } from './harness.ts';

const dana = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';
const day = 24 * 60 * 60 * 1000;

/** A grant from the console's wallet, of which so much is spent. */
function given(foreign: Foreign, spent = 0): void {
  foreign.grants.set('grant-1', {
    id: 'grant-1',
    grantor: foreign.wallet,
    grantee: dana,
    limit: 50,
    spent,
    createdAt: new Date(Date.now() - day).toISOString(),
    expiresAt: new Date(Date.now() + 29 * day).toISOString(),
  });
}

async function goToGrants(session: Session): Promise<void> {
  await session.waitFor(/job \d+|4 Logs bazaar/);
  session.press('3');
  await session.waitFor(/\[3 Grants \d/);
}

/** The folders of a person whose address book has Dana and Daniel. */
function homeWithNames(): Home {
  const home = new Home();
  onTestFinished(() => home.remove());
  const folder = path.join(home.folder, 'config', 'hostdeck');
  mkdirSync(folder, { recursive: true });
  const names = { Daniel: '0x5a3c1f0e9b7d24c68e1a0f3b5d7c9e2a4b6d8f02', Dana: dana };
  writeFileSync(path.join(folder, 'addresses.json'), JSON.stringify(names));
  return home;
}

/** Fills the form in and stops before its last Enter. */
async function fillIn(session: Session, to = dana): Promise<void> {
  session.press('a');
  await session.waitFor(': new grant');
  for (const text of [to, '50', '30d']) {
    session.type(text);
    session.press('enter');
  }
  await session.waitFor('from your balance until then.');
  session.press('tab');
  await session.waitFor('[Grant]');
}

/** Grants; an Enter too many opens the row below the form, which is left again. */
async function grant(session: Session): Promise<void> {
  await pressUntil(session, 'enter', (now) => !now.screen.includes('[Grant]'));
  session.press('3');
}

test('on the host: a Dana Enter 50 Enter 30d Enter Tab Enter grants, and X revokes it', async () => {
  await using session = launch({ run: here, home: homeWithNames() });
  await goToGrants(session);
  await session.waitFor('[3 Grants 2]');
  await fillIn(session, 'dana');
  expect(session.screen).toContain('│ To      Dana ');
  expect(session.screen).toContain(`│         ${dana} `);
  expect(session.screen).toMatch(/│ Until {3}30d {7}\d{4}-\d\d-\d\d \d\d:\d\d UTC, .*here/);
  expect(session.screen).toContain('│ Dana may spend up to 50 from your balance until then. ');
  expect(session.screen).toContain('│ You can revoke it earlier. It cannot be extended. ');
  await grant(session);
  await session.waitFor('Dana may spend up to 50 until');
  await session.waitFor(/^> {2}given to Dana/m);
  session.press('X');
  await session.waitFor('revoke the grant to Dana?');
  await session.waitFor(dana);
  session.type('9f3c');
  session.press('tab');
  await session.waitFor('[Revoke]');
  await pressUntil(session, 'enter', (now) => !now.screen.includes('[Revoke]'));
  session.press('3');
  await session.waitFor(/^> {2}given to Dana .* revoked/m);
  expect(session.screen).toContain('Revoked the grant to Dana');
});

test('on a foreign service: the same, and what was typed is what it gets', async () => {
  await using deck = await openOnForeign({ home: homeWithNames() });
  const { session, foreign } = deck;
  await goToGrants(session);
  await fillIn(session, 'dana');
  const before = Date.now();
  await grant(session);
  await session.waitFor('Dana may spend up to 50 until');
  await session.waitFor('[3 Grants 1]');
  const [made] = foreign.grants.values();
  expect(made).toMatchObject({ grantor: foreign.wallet, grantee: dana, limit: 50 });
  expect(Math.abs(Date.parse(made?.expiresAt ?? '') - before - 30 * day)).toBeLessThan(60_000);
  session.press('X');
  await session.waitFor(`It spends from ${foreign.wallet} (you).`);
  session.type('9f3c');
  session.press('tab');
  await session.waitFor('[Revoke]');
  await pressUntil(session, 'enter', (now) => !now.screen.includes('[Revoke]'));
  await session.waitFor('Revoked the grant to Dana');
  await session.waitFor('[3 Grants 0]');
  expect(foreign.writes().map(({ method }) => method)).toEqual(['POST', 'DELETE']);
});

test('A makes a new grant like one that has reached its limit', async () => {
  await using deck = await openOnForeign({ prepare: (foreign) => given(foreign, 50) });
  const { session, foreign } = deck;
  await goToGrants(session);
  await session.waitFor('limit reached');
  session.press('A');
  await session.waitFor('The old grant has reached its limit. This makes a new one.');
  await session.waitFor('│ Until   30d');
  session.press('shift+tab');
  await session.waitFor('[Grant]');
  await grant(session);
  await session.waitFor('[3 Grants 2]');
  expect([...foreign.grants.values()].map(({ grantee, limit }) => [grantee, limit])).toEqual([
    [dana, 50],
    [dana, 50],
  ]);
});

/** A console on a service whose answers to writes are meddled with. */
async function onMeddled(meddling: Meddling): Promise<{ session: Session; posts: () => number }> {
  const foreign = await startForeign();
  const proxy = await startMeddlingProxy(foreign.baseUrl);
  proxy.meddle = ({ method }) => (method === 'GET' ? 'pass' : meddling);
  const session = launch({
    run: here,
    env: { ...environmentOf(foreign), HOSTDECK_BASE_URL: proxy.baseUrl },
  });
  onTestFinished(async () => {
    await session.close();
    await proxy.close();
    await foreign.close();
  });
  return { session, posts: () => proxy.writes().length };
}

test('where the answer is lost, the form comes back with its input and nothing is sent again', async () => {
  const { session, posts } = await onMeddled('drop when the service has answered');
  await goToGrants(session);
  await fillIn(session);
  await grant(session);
  await session.waitFor('The grant may have been created. Check the list');
  await session.waitFor('[Cancel]   Grant');
  expect(session.screen).toContain(`│ To      ${dana}`);
  await session.waitFor('[3 Grants 1]');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes(': new grant'));
  session.press('a');
  await session.waitFor('│ Until   30d');
  expect(posts()).toBe(1);
});

test('a refusal brings the form back with what the service says of it', async () => {
  const { session, posts } = await onMeddled({ status: 503 });
  await goToGrants(session);
  await fillIn(session);
  await grant(session);
  await session.waitFor('│ Create grant failed (503). Nothing was granted.');
  await session.waitFor('│ Limit   50');
  expect(posts()).toBe(1);
});

test('no single key and no paste into the form changes anything on the service', async () => {
  await using deck = await openOnForeign({ prepare: (foreign) => given(foreign) });
  const { session, foreign } = deck;
  await goToGrants(session);
  const ending = new Set(['q', 'ctrl+c', 'ctrl+z', 'escape', 'f1']);
  const keys = paneKeys.filter((key) => !ending.has(key));
  const isOpen = (now: Session) => /new grant|revoke the grant/.test(now.screen);
  for (const box of ['a', 'A', 'X']) {
    for (const key of aThirdOf(keys)) {
      session.press('3', box);
      await session.waitFor(isOpen);
      session.press(key, 'escape');
      await session.waitFor((now) => !isOpen(now));
    }
  }
  session.press('3', 'a', 'ctrl+u');
  await session.waitFor(': new grant');
  session.paste('50\r\n30d\t\r\u001b[A'.repeat(1000));
  session.press('enter');
  await session.waitFor('[Cancel]   Grant (fill in all fields)');
  expect(foreign.writes()).toEqual([]);
});
