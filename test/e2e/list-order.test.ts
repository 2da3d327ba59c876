import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDeployment, environmentOf, openOnForeign, pressUntil } from './foreign-console.ts';
import { launch, type Session } from './harness.ts';
import { Home } from './harness-home.ts';
import type { Foreign } from '../servers/foreign.ts';

async function shops(foreign: Foreign): Promise<void> {
  for (const name of ['shop-10', 'shop-2', 'alpha']) await createDeployment(foreign, name);
}

const rows = ({ terminal }: Session) =>
  terminal.rows.map((row) => /^[> ][o ] (\S+) +running/.exec(row)?.[1]).filter(Boolean);

async function quit(session: Session): Promise<void> {
  session.press('q');
  await session.waitFor('q again quits.');
  await pressUntil(session, 'q', (now) => !now.terminal.modes.alternateScreen);
  await session.exited;
}

/** Folders that a program finds again when it is started anew. */
function keptHome(): Home {
  const home = new Home();
  onTestFinished(() => home.remove());
  return home;
}

test('an order is there again after the program is started anew, a filter is not', async () => {
  const home = keptHome();
  await using deck = await openOnForeign({ home, prepare: shops });
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1', 'o');
  await session.waitFor('[1 Deployments 4 by name]');
  await session.waitFor('Deployments by name, a to z.');
  expect(rows(session)).toEqual(['alpha', 'bazaar', 'shop-2', 'shop-10']);
  session.press('I');
  await session.waitFor('[1 Deployments 4 by -name]');
  session.type('/shop\r');
  await session.waitFor('[1 Deployments 2/4 by -name /shop]');
  await quit(session);

  await using again = launch({ home, env: environmentOf(foreign) });
  await again.waitFor('[4 Logs');
  again.press('1');
  await again.waitFor('[1 Deployments 4 by -name]');
  expect(rows(again)).toEqual(['shop-10', 'shop-2', 'bazaar', 'alpha']);
  await quit(again);
  const file = path.join(home.env['XDG_STATE_HOME'] ?? '', 'hostdeck/lists.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
