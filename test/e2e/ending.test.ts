import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { edit } from './edit-console.ts';
import { launchOnForeign, pressUntil } from './foreign-console.ts';
import { launch, type Session } from './harness.ts';
import { waitFor } from '../support/wait-for.ts';

const root = path.resolve(import.meta.dirname, '../..');

function expectAsFound(session: Session): void {
  expect(session.terminal.modes).toMatchObject({
    alternateScreen: false,
    cursorVisible: true,
    bracketedPaste: false,
    synchronizedOutput: false,
    keyboards: 0,
  });
}

// The host waits seconds for a next console before it ends: these wait at the same time.
describe.concurrent('no process is left behind', () => {
  // The codes of the other signals are those of the terminal's guard: test/terminal/lifecycle.test.ts.
  test('SIGHUP leaves the terminal as it was and no process behind', async () => {
    await using session = launch();
    await session.waitFor(/job \d+/);
    session.kill('SIGHUP');
    expect(await session.exited).toMatchObject({ code: 129 });
    expectAsFound(session);
    await waitFor(() => expect(session.survivors()).toEqual([]), { interval: 100 });
  });

  test('a terminal that vanishes ends the program and its host', async () => {
    await using session = launch();
    await session.waitFor(/job \d+/);
    session.vanish();
    await waitFor(() => expect(session.survivors()).toEqual([]), { interval: 100 });
  });

  test('SIGTERM to npm start reaches the program', async () => {
    await using session = launch({ command: ['npm', 'start'], cwd: root });
    await session.waitFor(/job \d+/);
    session.kill('SIGTERM');
    await session.exited;
    expectAsFound(session);
    await waitFor(() => expect(session.survivors()).toEqual([]), { interval: 100 });
  });
});

test('SIGTERM sent twice ends as well as once', async () => {
  await using deck = await launchOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.kill('SIGTERM');
  session.kill('SIGTERM');
  expect(await session.exited).toMatchObject({ code: 143 });
  expectAsFound(session);
});

test('^Z gives the shell its terminal, and the console comes back in the size of then', async () => {
  const program = `"${process.execPath}" "${path.join(root, 'dist/cli.js')}"`;
  await using deck = await launchOnForeign({
    command: ['sh', '-c', `set -m; ${program}; echo in the shell; read line; fg`],
  });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('ctrl+z');
  await session.waitFor('in the shell');
  expectAsFound(session);
  // The kernel tells the shell of it, not the program that is stopped.
  session.resize(100, 30);
  session.press('enter');
  await session.waitFor(({ terminal }) => terminal.rows[29]?.includes('? help'));
  session.press('?');
  await session.waitFor('Help: Logs');
  session.press('escape');
  await session.waitFor(({ screen }) => !screen.includes('Help:'));
  await pressUntil(session, 'q', ({ screen }) => screen.includes('in the shell'));
  expect(await session.exited).toMatchObject({ code: 0 });
  expectAsFound(session);
});

test('an uncaught error leaves the terminal as it was, with one sentence and no stack', async () => {
  await using deck = await launchOnForeign({
    env: { NODE_OPTIONS: `--import ${path.join(root, 'test/fixtures/throw-on-signal.ts')}` },
  });
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.kill('SIGUSR2');
  expect(await session.exited).toMatchObject({ code: 1 });
  expectAsFound(session);
  expect(session.screen.replaceAll('\n', '')).toContain('hostdeck crashed.');
  expect(session.screen).not.toMatch(/\bat .*:\d+:\d+/);
  const log = path.join(session.home.env['XDG_STATE_HOME'] ?? '', 'hostdeck/crash.log');
  const details = readFileSync(log, 'utf8');
  expect(details).toContain('thrown by a test');
  expect(details).not.toContain(foreign.token);
  expect(statSync(log).mode & 0o777).toBe(0o600);
});

test('a console whose event loop runs empty exits with an error, and keeps what was typed', async () => {
  await using deck = await launchOnForeign({
    env: { NODE_OPTIONS: `--import ${path.join(root, 'test/fixtures/empty-loop-on-signal.ts')}` },
  });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  await edit(session, 'app.yaml');
  session.type('typed ');
  await session.waitFor('typed ');
  session.kill('SIGURG');
  expect(await session.exited).toMatchObject({ code: 1 });
  expectAsFound(session);
  expect(session.screen.replaceAll('\n', '')).toContain(
    'hostdeck ended by itself: nothing was left to wait for. Details are in ',
  );
  const state = path.join(session.home.env['XDG_STATE_HOME'] ?? '', 'hostdeck');
  const drafts = readdirSync(path.join(state, 'drafts'), { recursive: true }).map(String);
  expect(drafts.filter((name) => name.endsWith('.draft'))).toHaveLength(1);
});

test('--ascii draws with ASCII characters only, and NO_COLOR without a colour', async () => {
  await using deck = await launchOnForeign({
    args: ['--ascii'],
    env: { NO_COLOR: '1' },
    cols: 120,
    rows: 36,
  });
  const { session } = deck;
  await session.waitFor('[1 Deployments 1]');
  await session.waitFor('2 Files bazaar/web 4');
  // eslint-disable-next-line no-control-regex
  expect(session.screen).not.toMatch(/[^\x00-\x7f]/);
  deck.foreign.append(deck.foreign.sample, 'web', 'x'.repeat(200));
  await session.waitFor(/x{40}~/);
  // The row of the cursor is in reverse video.
  // eslint-disable-next-line no-control-regex
  expect(session.transcript.match(/\x1b\[(?![07]?m)[\d;:]*m/g) ?? []).toEqual([]);
});

test('--unicode draws the same where the locale has no character set', async () => {
  const options = { cols: 120, rows: 36, env: { LANG: 'C', LC_ALL: 'C' } };
  await using plain = await launchOnForeign(options);
  await plain.session.waitFor(/\[1 Deployments 1\] =+/);
  await using deck = await launchOnForeign({ ...options, args: ['--unicode'] });
  await deck.session.waitFor(/\[1 Deployments 1\] ━+/);
});

test('on a terminal with one screen only, what was drawn is cleared away', async () => {
  await using deck = await launchOnForeign({ env: { TERM: 'linux' } });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  expect(session.terminal.modes.alternateScreen).toBe(false);
  session.press('q');
  await pressUntil(session, 'q', ({ screen }) => screen.trim() === '');
  expect(await session.exited).toMatchObject({ code: 0 });
});
