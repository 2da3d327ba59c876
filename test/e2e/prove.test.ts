import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { edit, enterUntil, openDesk } from './edit-console.ts';

const env = { HOSTDECK_PROOF: '3', HOSTDECK_RESTART_DELAY: '0' };

test('a console that is killed while it proves a restart leaves the verdict and its undo to the next one', async () => {
  const desk = await openDesk({ lineEvery: 100 });
  const { foreign } = desk;
  const before = desk.stored('config/app.yaml');
  await waitFor(() => expect(foreign.lines(foreign.sample).length).toBeGreaterThan(80));
  let writing: NodeJS.Timeout | undefined;
  onTestFinished(() => clearInterval(writing));
  {
    await using session = await desk.startProgram({ env });
    await edit(session, 'app.yaml');
    session.type('# broken ');
    await session.waitFor('1 # broken server');
    session.press('ctrl+s');
    await waitFor(() => expect(desk.restarts()).toBe(1));
    writing = setInterval(() => foreign.append(foreign.sample, 'web', 'ERROR no port'), 50);
    await waitFor(() => expect(desk.provedRestarts()).toBe(1));
    session.kill('SIGKILL');
    await session.exited;
  }
  await using session = await desk.startProgram({ env });
  await session.waitFor(/bazaar is worse since \d\d:\d\d:\d\d: web [\d,]+ errors/);
  clearInterval(writing);
  session.press('u');
  await session.waitFor(/> \d\d:\d\d {2}Restart, worse \(1 file\) +bazaar: web\/conf/);
  await enterUntil(session, ({ screen }) => screen.includes('undo restart of bazaar?'));
  await session.waitFor('web/config/app.yaml: +1 -1');
  session.press('tab', 'tab');
  await session.waitFor('[Restore]');
  await enterUntil(session, ({ screen }) => !screen.includes('[Restore]'));
  await waitFor(() => expect(desk.restarts()).toBe(2));
  expect(desk.stored('config/app.yaml')).toBe(before);
  await session.waitFor(/bazaar has no new problems since/);
});
