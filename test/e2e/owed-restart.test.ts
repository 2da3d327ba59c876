import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRestartJournal } from '../../source/disk/restart-journal.ts';
import { startForeign } from '../servers/foreign.ts';
import { here } from './console-here.ts';
import { environmentOf, pressUntil } from './foreign-console.ts';
import { launch, type Session } from './harness.ts';
import { Home } from './harness-home.ts';

/** A mark that no process has: ids are lower than this. */
const killed = Promise.resolve('4194305-0123456789ab');

/** A service and the folders of a person whose last console was killed while a restart counted. */
async function leftBehind() {
  const foreign = await startForeign();
  const home = new Home();
  onTestFinished(async () => {
    home.remove();
    await foreign.close();
  });
  const state = path.join(home.env['XDG_STATE_HOME'] ?? '', 'hostdeck');
  const files = [{ service: 'web', path: 'config/app.yaml' }];
  await createRestartJournal(state, foreign.baseUrl, killed).write([
    { deploymentId: foreign.sample, name: 'bazaar', files, state: 'counting', since: Date.now() },
  ]);
  const startProgram = () => launch({ home, env: environmentOf(foreign) });
  const start = () => launch({ run: here, home, env: environmentOf(foreign) });
  const restartsSent = () =>
    foreign.requests.filter(({ path }) => path.endsWith('/restart')).length;
  return { foreign, start, startProgram, restartsSent };
}

/** Opens the restart box when the deployment is listed with what it is owed. */
async function openBox(session: Session): Promise<void> {
  session.press('1');
  await session.waitFor(/unapplied .* 1 file/);
  session.press('r');
  await session.waitFor('> bazaar      unapplied');
}

test('what a killed console owed is offered, again and again, until it is sent', async () => {
  const { start, startProgram, restartsSent } = await leftBehind();
  {
    await using session = startProgram();
    await session.waitFor(
      /Unfinished since \d\d:\d\d: 1 restart of bazaar \(1 file\)\. Nothing was sent/,
    );
    session.press('1');
    await session.waitFor(/unapplied .* 1 file/);
    session.kill('SIGTERM');
    expect(await session.exited).toMatchObject({ code: 143 });
  }
  expect(restartsSent()).toBe(0);
  {
    await using session = startProgram();
    await session.waitFor('Unfinished since');
    await openBox(session);
    session.press('tab');
    await session.waitFor('[Restart now]');
    await pressUntil(session, 'enter', (now) => !now.screen.includes('[Restart now]'));
    await session.waitFor('bazaar is restarting');
    session.kill('SIGTERM');
    await session.exited;
  }
  expect(restartsSent()).toBe(1);
  await using session = start();
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments 1]');
  expect(session.screen).not.toMatch(/Unfinished|unapplied/);
});

test('a cancelled restart is kept as unapplied changes, and never sent', async () => {
  const { start, startProgram, restartsSent } = await leftBehind();
  {
    await using session = startProgram();
    await session.waitFor('Unfinished since');
    await openBox(session);
    session.press('shift+tab');
    await session.waitFor("[Don't restart]");
    await pressUntil(session, 'enter', (now) => !now.screen.includes("[Don't restart]"));
    await session.waitFor('1 change unapplied; r restarts.');
    session.kill('SIGHUP');
    await session.exited;
  }
  await using session = start();
  await session.waitFor('1 restart of bazaar (1 file)');
  expect(restartsSent()).toBe(0);
});

test('a signal waits for the answer to what was sent, so that it is owed no more', async () => {
  const { foreign, start, startProgram, restartsSent } = await leftBehind();
  {
    await using session = startProgram();
    await session.waitFor('Unfinished since');
    await openBox(session);
    session.press('tab');
    await session.waitFor('[Restart now]');
    foreign.delay(1500);
    await pressUntil(session, 'enter', (now) => !now.screen.includes('[Restart now]'));
    await session.waitFor('restarting');
    session.kill('SIGHUP');
    expect(await session.exited).toMatchObject({ code: 129 });
  }
  foreign.delay(0);
  expect(restartsSent()).toBe(1);
  await using session = start();
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments 1]');
  expect(session.screen).not.toMatch(/Unfinished|unapplied/);
});
