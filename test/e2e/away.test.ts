import { expect, test, vi } from 'vitest';
import { launchOnForeign } from './foreign-console.ts';
import { launch } from './harness.ts';

test('a service that goes away is said so, keeps its rows dimmed, and comes back by itself', async () => {
  await using console = await launchOnForeign({ cols: 120, rows: 36 });
  const { session, foreign } = console;
  await session.waitFor('[1 Deployments 1]');
  foreign.append(foreign.sample, 'web', 'before the fall');
  await session.waitFor('before the fall');
  await foreign.away();
  await session.waitFor(/AWAY 0:0\d, (next try \d+s|trying)/);
  await session.waitFor(
    /No answer from 127\.0\.0\.1:\d+ for 0:\d\d\. Retrying by itself; F5 tries now\./,
  );
  await session.waitFor(/\[1 Deployments 1, as of \d\d:\d\d:\d\d\]/);
  expect(session.screen).toContain('before the fall');
  const { x, y } = session.find('o bazaar');
  expect(session.terminal.cell(x + 2, y).dim).toBe(true);
  await foreign.back();
  await session.waitFor((now) => !now.screen.includes('AWAY'));
  foreign.append(foreign.sample, 'web', 'after the return');
  await session.waitFor('after the return');
});

test('killing the host on this machine loses nothing but time: the console brings it back', async () => {
  await using session = launch();
  await session.waitFor(/job \d+/);
  const host = session
    .survivors()
    .find(({ pid, command }) => command.startsWith('hostdeck') && pid !== session.pid);
  if (host === undefined) throw new Error('no host');
  const starts = () => session.transcript.split('worker on queue').length;
  const before = starts();
  process.kill(host.pid, 'SIGKILL');
  await session.waitFor('log lost');
  await session.waitFor(() => starts() > before && session.screen.includes('live'));
  session.kill('SIGTERM');
  await session.exited;
  await vi.waitFor(() => expect(session.survivors()).toEqual([]), { timeout: 20_000 });
});

test('a refused token says what to set', async () => {
  await using console = await launchOnForeign({ env: { HOSTDECK_TOKEN: 'wrong' } });
  const { session } = console;
  session.press('1');
  await session.waitFor('Token refused (401). Set HOSTDECK_TOKEN and start hostdeck again.');
});

test('one list that cannot be read says so; the others live, and d shows the answer', async () => {
  await using console = await launchOnForeign({ cols: 120, rows: 36 });
  const { session, foreign } = console;
  await session.waitFor('[1 Deployments 1]');
  foreign.answerWith('/api/v1/grants', { strange: true });
  session.press('f5');
  await session.waitFor('missing. d shows it.');
  await session.waitFor(/^>o bazaar/m);
  session.press('3', 'd');
  await session.waitFor('"strange"');
});

test('a base URL without a token, or one that is no address, is told before anything is drawn', async () => {
  for (const [env, said] of [
    [{ HOSTDECK_BASE_URL: 'http://127.0.0.1:9' }, 'A base URL is given, but no token.'],
    [{ HOSTDECK_BASE_URL: 'ftp://x', HOSTDECK_TOKEN: 't' }, 'not an http or https address'],
  ] as const) {
    await using session = launch({ env, cols: 160 });
    expect(await session.exited).toMatchObject({ code: 1 });
    expect(session.screen).toContain(said);
  }
});
