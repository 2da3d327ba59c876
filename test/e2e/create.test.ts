import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { templates } from '../../source/store/editor/templates.ts';
import { type Meddling, startMeddlingProxy } from '../servers/meddling-proxy.ts';
import { here } from './console-here.ts';
import { choose, openDesk } from './edit-console.ts';
import { Home } from './harness-home.ts';
import { launch, type Session } from './harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

/** Picks what a new deployment begins with, from the panes. */
async function begin(session: Session, name: string): Promise<void> {
  session.press('1');
  await session.waitFor('[1 Deployments');
  session.press('a');
  await session.waitFor('new deployment from');
  session.type(name);
  await session.waitFor((now) => now.screen.includes(`│ > ${name}`));
  session.press('enter');
  await session.waitFor(/EDIT new deployment/);
}

/** `^S` and the box of what would be created. */
async function summary(session: Session, name: string): Promise<void> {
  session.press('ctrl+s');
  await session.waitFor(`create ${name}?`);
}

/** Goes to a text and puts another in its place. */
async function replace(session: Session, text: string, by: string): Promise<void> {
  session.press('ctrl+f');
  session.type(text);
  session.press('enter');
  await session.waitFor('match 1 of 1');
  session.type(by);
  await session.waitFor(by);
}

const creations = (seen: readonly { readonly method: string; readonly path: string }[]) =>
  seen.filter((one) => one.method === 'POST' && one.path.endsWith('/deployments')).length;

/** The host of one console waits for the next one. */
const home = new Home();
afterAll(() => home.remove());

test('on the host: a template, its summary, and the log of what was created', async () => {
  await using session = launch({ run: here, home });
  await session.waitFor(/job \d+/);
  await begin(session, 'worker');
  expect(session.terminal.rows[1]).not.toContain('unsaved');
  await replace(session, 'name: worker', 'name: night-shift');
  await session.waitFor('EDIT new deployment  unsaved');
  await summary(session, 'night-shift');
  expect(session.screen).toMatch(/│ Services {2}worker, 1 instance, [\d.]+ CPU, \d+ MiB +│/);
  expect(session.screen).toContain('Cost      0.6 an hour, 14.4 a day');
  expect(session.screen).toMatch(/Payer {5}a grant, 2(?:50|49\.\d+) left, from +│/);
  expect(session.screen).toMatch(/ {10}(?:until \d{4}-\d\d-\d\d|lasts )/);
  expect(session.screen).toContain('[Cancel]   Create');
  await choose(session, 'Create');
  await session.waitFor('[4 Logs night-shift]');
  await session.waitFor('worker starts');
  await session.waitFor('Created night-shift. This is its log.');
  await session.waitFor(({ terminal }) => terminal.rows[0]?.includes('draft') === false);
  session.press('1');
  await session.waitFor(/^>o night-shift/m);
});

test('in a terminal of 40x12, the price can be scrolled to above the buttons', async () => {
  await using session = launch({ run: here, home, cols: 40, rows: 12 });
  await session.waitFor(/job \d+/);
  session.press('1');
  await session.waitFor('[1 Deployments');
  session.press('a');
  await session.waitFor('new deployment from');
  session.type('worker');
  await session.waitFor(/^> worker$/m);
  session.press('enter');
  await session.waitFor('EDIT new deployment');
  await summary(session, 'worker');
  expect(session.terminal.rows[1]).toMatch(/^ \w+: create worker\? ━+/);
  expect(session.screen).toContain('Cost      0.6 an hour, 14.4 a day');
  expect(session.screen).toMatch(/^Payer {5}a grant, /m);
  expect(session.screen).not.toContain('your own balance');
  expect(session.terminal.rows.slice(10)).toEqual([
    expect.stringMatching(/^\[Cancel\] {3}Create *$/),
    expect.stringMatching(/^Tab {2}PgUp\/PgDn {2}Enter {2}Esc cancel *$/),
  ]);
  session.press('pagedown');
  await session.waitFor('your own balance');
  const [, of, count] = / (\d+) of (\d+) *$/.exec(session.terminal.rows[1] ?? '') ?? [];
  expect(of).toBe(count);
  expect(session.screen).toContain('[Cancel]   Create');
  session.press('tab', 'pageup');
  await session.waitFor('Cost      0.6 an hour');
  await session.waitFor(/^Cancel {3}\[Create\]/m);
});

test('on the host: a mistake is marked while it is typed, and where the host refuses it', async () => {
  await using session = launch({ run: here, home, cols: 120, rows: 36 });
  await session.waitFor(/job \d+/);
  await begin(session, 'web');
  session.press('down', 'end', 'backspace');
  session.type('9"');
  await session.waitFor(/! +2 version: "2\.09"/);
  await session.waitFor(/Line 2: .*F8: next problem\./);
  session.press('ctrl+end');
  session.press('f8');
  await session.waitFor('Ln 2 Col');
  session.press('ctrl+end');
  await summary(session, 'web');
  expect(session.screen).toMatch(/1 problem; the service may refuse it\. +Line 2: /);
  expect(session.screen).toContain('the service may refuse');
  await choose(session, 'Create');
  await session.waitFor('Not created; draft kept. Line 2: version');
  await session.waitFor('Ln 2 Col');
  expect(session.screen).toMatch(/! +2 version: "2\.09"/);
  expect(session.screen).toContain('EDIT new deployment  unsaved');
});

test('a refusal of a foreign service keeps the text, and the next try is created', async () => {
  const { foreign, start } = await openDesk();
  await using session = await start();
  await begin(session, 'web');
  foreign.failNext(1, { status: 503, method: 'POST' });
  await summary(session, 'web');
  await choose(session, 'Create');
  await session.waitFor('Not created. Create deployment failed (503).');
  expect(session.screen).toContain('EDIT new deployment');
  expect(session.screen).toContain('4 name: web');
  await replace(session, 'count: 1', 'count: 1: 2');
  await session.waitFor(/! +\d+ +count: 1: 2/);
  session.press('ctrl+home');
  session.press('ctrl+s');
  await session.waitFor('the service may refuse it');
  await choose(session, 'Create');
  await session.waitFor(/Not created; draft kept\. Line \d+: /);
  const [, line] = /draft kept\. Line (\d+)/.exec(session.screen) ?? [];
  await session.waitFor(`Ln ${line} Col`);
  session.press('ctrl+z');
  await session.waitFor((now) => !now.screen.includes('count: 1: 2'));
  await summary(session, 'web');
  await choose(session, 'Create');
  await session.waitFor('Created web. This is its log.');
  await session.waitFor('[4 Logs web]');
  await session.waitFor(/web +started/);
  expect(creations(foreign.requests)).toBe(3);
});

test('A begins with the definition of the row, fetched where the list has none', async () => {
  const { foreign, start } = await openDesk({ sdl: 'single' });
  await using session = await start();
  session.press('1');
  await session.waitFor('[1 Deployments');
  session.press('A');
  await session.waitFor(/EDIT new deployment/);
  const [first = ''] = foreign.deployments.get(foreign.sample)?.sdl.split('\n') ?? [];
  await session.waitFor(first);
});

test('A says so where the service gives no definition', async () => {
  const { start } = await openDesk({ sdl: 'absent' });
  await using session = await start();
  session.press('1');
  await session.waitFor('[1 Deployments');
  session.press('A');
  await session.waitFor('The service sent no definition of bazaar.');
  expect(session.screen).toContain('[1 Deployments');
});

test('a definition of this machine is opened by its path, which Tab completes', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'mine.yaml'), templates.worker.replace('worker', 'of-mine'));
  const { startProgram: start } = await openDesk();
  await using session = await start({ cwd: folder });
  session.press('1');
  await session.waitFor('[1 Deployments');
  session.press('a');
  await session.waitFor('new deployment from');
  session.type('local');
  await session.waitFor('│ > local file');
  session.press('enter');
  await session.waitFor('New deployment from file:');
  session.type('mi');
  session.press('tab');
  await session.waitFor('from file: mine.yaml');
  // Keys typed directly after Enter go into the text, never to the panes.
  session.press('enter', 'X', 'q');
  await session.waitFor('EDIT new deployment  unsaved');
  await session.waitFor('Xq# F8: next problem.');
});

test('killed while it is typed, it is offered at the next start and by a', async () => {
  const { foreign, start: startHere, startProgram: start, keptDrafts } = await openDesk();
  {
    await using session = await start();
    await begin(session, 'web');
    session.type('# mine');
    await session.waitFor('1 draft');
    session.kill('SIGHUP');
    await session.exited;
  }
  {
    await using session = await start();
    await session.waitFor('unfinished work');
    expect(session.screen).toMatch(/Open new deployment +web, not sent, \d\d:\d\d/);
    await choose(session, 'Open new deployment');
    await session.waitFor('EDIT new deployment  unsaved');
    await session.waitFor('# mine# F8');
    session.type('#');
    await session.waitFor('## mine# F8');
    session.press('ctrl+q');
    await session.waitFor('The new deployment is not created. Draft kept; a opens it.');
    // The one that was left goes when the new one is there whole.
    await waitFor(() => {
      expect(keptDrafts()).toContain('## mine');
      expect(keptDrafts()).not.toMatch(/(?<!#)# mine/);
    });
    session.kill('SIGKILL');
    await session.exited;
  }
  await using session = await startHere();
  await session.waitFor('unfinished work');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('unfinished work'));
  await begin(session, 'draft of');
  await session.waitFor('## mine# F8');
  expect(foreign.writes()).toEqual([]);
});

test.each(['SIGTERM', 'SIGHUP'] as const)(
  'ended by %s while it is sent, its answer is waited for, and nothing is left unfinished',
  async (signal) => {
    const { foreign, startProgram: start, keptDrafts } = await openDesk();
    const proxy = await startMeddlingProxy(foreign.baseUrl);
    onTestFinished(() => proxy.close());
    const { promise: seen, resolve: see } = Promise.withResolvers<void>();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    proxy.meddle = async ({ method }): Promise<Meddling> => {
      if (method !== 'POST') return 'pass';
      see();
      await gate;
      return 'pass';
    };
    await using session = await start({ env: { HOSTDECK_BASE_URL: proxy.baseUrl } });
    await begin(session, 'worker');
    await summary(session, 'worker');
    await choose(session, 'Create');
    await seen;
    expect(keptDrafts()).toContain('name: worker');
    session.kill(signal);
    // It goes on to ask for the lists while it waits.
    const asked = foreign.requests.length;
    await waitFor(() => expect(foreign.requests.length).toBeGreaterThan(asked + 2));
    open();
    await session.exited;
    expect(creations(foreign.requests)).toBe(1);
    expect(keptDrafts()).toBe('');
  },
);

test('cut off after it was sent, it may have been created: nothing is sent again by itself', async () => {
  const { foreign, start: startHere, startProgram: start } = await openDesk();
  const proxy = await startMeddlingProxy(foreign.baseUrl);
  onTestFinished(() => proxy.close());
  proxy.meddle = ({ method }) =>
    method === 'POST' ? 'drop when the service has answered' : 'pass';
  const env = { HOSTDECK_BASE_URL: proxy.baseUrl };
  {
    await using session = await start({ env });
    await begin(session, 'worker');
    await summary(session, 'worker');
    await choose(session, 'Create');
    await session.waitFor(/It may have been created\. Check the list; \^S\s+retries\./);
    expect(session.screen).toContain('EDIT new deployment  unsaved');
    await session.waitFor('1 draft');
    await summary(session, 'worker');
    expect(session.screen).toMatch(/Sent at \d\d:\d\d:\d\d without an answer\./);
    session.kill('SIGKILL');
    await session.exited;
  }
  await using session = await startHere({ env });
  await session.waitFor('A deployment was sent; no');
  expect(session.screen).toMatch(/Open new deployment +worker, sent, no answer, \d\d:\d\d/);
  expect(creations(foreign.requests)).toBe(1);
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('unfinished work'));
  session.press('1');
  await session.waitFor(/^..? worker /m);
  // It is there, so that the text is of no more use.
  await begin(session, 'draft of');
  await summary(session, 'worker');
  await choose(session, 'Discard draft');
  await session.waitFor('Discarded the draft of worker. u restores it.');
  await session.waitFor((now) => !now.terminal.rows[0]?.includes('draft'));
  expect(creations(foreign.requests)).toBe(1);
});
