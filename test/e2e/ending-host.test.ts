import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { idle, sdlOf } from '../host/support/temporary-host.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runProgram } from './run-program.ts';
import { RunningProgram } from './sync-ground.ts';

const ending =
  'The host on this machine ends with this command, and its deployments stop until its next start. ' +
  'hostdeck host keeps it running.\n';

/** Makes a home with a definition, and returns a way to run commands on its own host. */
function ownHome() {
  const home = new Home();
  onTestFinished(() => home.remove());
  writeFileSync(path.join(home.folder, 'app.yaml'), sdlOf({ web: idle }, 'app'));
  const run = async (line: string) => {
    const end = await runProgram(line.split(' '), { home, cwd: home.folder });
    expect(end.code).toBe(0);
    return end.stderr;
  };
  return { home, run };
}

test('a command that starts services tells that the host ends with it', async () => {
  const { run } = ownHome();
  expect(await run('deployments create -f app.yaml --yes --wait')).toContain(ending);
  expect(await run('deployments restart app')).toBe(ending);
  expect(await run('deployments restart app --dry-run')).toBe('');
  expect(await run('deployments list')).toBe('');
});

test('a sync that a signal ends tells it too', async () => {
  const { home, run } = ownHome();
  await run('deployments create -f app.yaml --yes');
  const site = path.join(home.folder, 'site');
  mkdirSync(site);
  const args = ['files', 'sync', site, 'app/web', '--watch', '--yes'];
  await using watch = new RunningProgram(args, home, {});
  await watch.says('Watching');
  expect(await watch.end()).toBe(130);
  expect(watch.stderr).toContain(ending);
});

test('a console keeps the host, and so does hostdeck host', async () => {
  const { home, run } = ownHome();
  await using session = launch({ home });
  await session.waitFor('sample');
  expect(await run('deployments create -f app.yaml --yes')).toBe('');
  const other = ownHome();
  await using host = new RunningProgram(['host', '--port', '0'], other.home, {});
  await host.says('Your wallet');
  expect(await other.run('deployments create -f app.yaml --yes')).toBe('');
  expect(await host.end('SIGTERM')).toBe(0);
});
