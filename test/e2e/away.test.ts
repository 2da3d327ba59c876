import { expect, test } from 'vitest';
import { openOnForeign } from './foreign-console.ts';
import { launch } from './harness.ts';
import { roleReader } from './screens/roles.ts';
import { black } from './screens/session.ts';
import { waitFor } from '../support/wait-for.ts';

test('a service that goes away is said so, keeps its rows dimmed, and comes back by itself', async () => {
  await using deck = await openOnForeign({ cols: 120, rows: 36, background: black });
  const { session, foreign } = deck;
  await session.waitFor('[1 Deployments 1]');
  foreign.append(foreign.sample, 'web', 'before the fall');
  await session.waitFor('before the fall');
  await foreign.away();
  await session.waitFor(/OFFLINE 0:0\d, (retry in \d+s|reconnecting)/);
  await session.waitFor(
    /No answer for 0:\d\d\. Reading and editing work; nothing is sent\. F5 retries\./,
  );
  await session.waitFor(/\[1 Deployments 1, as of \d\d:\d\d:\d\d\]/);
  expect(session.screen).toContain('before the fall');
  const { x, y } = session.find('config/');
  const roleOf = await roleReader();
  expect(roleOf(session.terminal.cell(x + 3, y + 1))).toBe('q');
  await foreign.back();
  await session.waitFor((now) => !now.screen.includes('OFFLINE'));
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
  await waitFor(() => expect(session.survivors()).toEqual([]), { interval: 100 });
});

test('one list that cannot be read says so; the others live, and d shows the answer', async () => {
  await using deck = await openOnForeign({ cols: 120, rows: 36 });
  const { session, foreign } = deck;
  await session.waitFor('[1 Deployments 1]');
  foreign.answerWith('/api/v1/grants', { strange: true });
  session.press('f5');
  await session.waitFor('grants is missing. d shows');
  await session.waitFor(/^>o bazaar/m);
  session.press('3', 'd');
  await session.waitFor('"strange"');
});

test('a log without a token, or a base URL that is no address, is told before anything is drawn', async () => {
  for (const [args, env, said] of [
    [['logs', 'x'], { HOSTDECK_BASE_URL: 'http://127.0.0.1:9' }, 'A service is set, but no token.'],
    [[], { HOSTDECK_BASE_URL: 'ftp://x', HOSTDECK_TOKEN: 't' }, 'which is not http or https'],
  ] as const) {
    await using session = launch({ args, env, cols: 160 });
    expect(await session.exited).toMatchObject({ code: 1 });
    expect(session.screen).toContain(said);
  }
});

test('a long refusal leaves the pane and the console whole, at any size', async () => {
  // The smaller panes have no row left for the service's own words.
  for (const [cols, rows, said] of [
    [110, 20, 'does not allow this'],
    [120, 36, 'You may not list this.'],
  ] as const) {
    await using deck = await openOnForeign({ cols, rows });
    const { session, foreign } = deck;
    await session.waitFor('[1 Deployments 1]');
    const detail = 'You may not list this. '.repeat(60);
    foreign.failNext(100, { status: 403, method: 'GET', body: JSON.stringify({ detail }) });
    session.press('f5');
    await session.waitFor(said);
    expect(session.terminal.rows.at(-1)).toMatch(/\? help$/);
    expect(session.terminal.modes.alternateScreen).toBe(true);
  }
});

test('a service without deployments says so in every pane', async () => {
  await using deck = await openOnForeign({
    cols: 120,
    rows: 36,
    prepare: (foreign) => foreign.answerWith('/api/v1/deployments', []),
  });
  const { session } = deck;
  await session.waitFor('No deployments on');
  await session.waitFor((now) => now.screen.split('Open a deployment first.').length === 3);
  expect(session.screen).not.toContain('Loading');
});
