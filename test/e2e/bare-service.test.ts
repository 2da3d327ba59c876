import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { type ForeignConsole, openOnForeign } from './foreign-console.ts';

const day = 86_400_000;

/** The clock of both services is two days behind that of this machine. */
const twoDaysBehind = { now: () => Date.now() - 2 * day, chatter: 'none' } as const;

/** Facts that a service without them must not get from the console. */
const unbacked =
  /\b\d+\/\d+\b|\bactive\b|\brunning\b|\d (instance|service)s?\b|\bago\b|\bup \d|\b0 B\b|\b2d\b/;

let console: ForeignConsole;

beforeAll(async () => {
  console = await openOnForeign({
    cols: 120,
    rows: 36,
    service: {
      ...twoDaysBehind,
      deployments: 'ids',
      files: 'paths',
      logLines: 'strings',
      logIds: 'none',
    },
  });
});

afterAll(async () => {
  await console[Symbol.asyncDispose]();
});

test('Deployments: an id, and a dash in every other column', async () => {
  const { session } = console;
  await session.waitFor('[1 Deployments 1]');
  await session.waitFor(/^>o \w{6}\.\.[\w-]{7} +- +- +- +- │/m);
});

test('Files: the services are those seen in the log, and a file is its path', async () => {
  const { session } = console;
  await session.waitFor('This deployment lists no services.');
  await session.waitFor(/│ started$/m);
  await waitFor(() => expect(console.foreign.streams()).toBe(1));
  console.foreign.append(console.foreign.sample, 'web', 'a line');
  await session.waitFor('web a line');
  session.press('2', 's');
  await session.waitFor(/^ *│? > web/m);
  session.press('enter');
  await session.waitFor(/ app\.yaml +- │/);
  expect(session.screen).not.toMatch(unbacked);
});

test('Grants: none, and no rate', async () => {
  const { session } = console;
  session.press('3');
  await session.waitFor('[3 Grants 0]');
  await session.waitFor('No grants.');
  expect(session.screen).not.toMatch(unbacked);
});

test('Logs: a line without a time has none, and a place that could not be joined says so', async () => {
  const { session } = console;
  session.press('4');
  await session.waitFor('[4 Logs');
  await session.waitFor(/│ +started$/m);
  await session.waitFor('-- gap: lines may be missing or shown twice here');
});

test('Details: the id and nothing else', async () => {
  const { session, foreign } = console;
  session.press('1', 'd');
  await session.waitFor('[4 Details');
  const [, ...rows] = session.terminal.rows.slice(1, 30).map((row) => row.split(/[│┬┤]/)[1] ?? '');
  expect(rows.map((row) => row.trim()).filter((row) => row !== '')).toEqual([
    `>id          ${foreign.sample}`,
  ]);
  session.press('d');
});

test('the boxes of restart and close name what is known', async () => {
  const { session, foreign } = console;
  session.press('1', 'r');
  await session.waitFor('restart ');
  await session.waitFor(`id ${foreign.sample}`);
  expect(session.screen).toContain('Stops and starts its services.');
  expect(session.screen).not.toMatch(unbacked);
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Stops and starts'));
  session.press('X');
  await session.waitFor("A closed deployment can't be reopened.");
  expect(session.screen).toContain(`id ${foreign.sample}`);
  expect(session.screen).not.toMatch(unbacked);
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Type '));
});

test('ages follow the clock of the service', async () => {
  await using late = await openOnForeign({
    cols: 120,
    rows: 36,
    service: { ...twoDaysBehind, services: 'objects', files: 'records' },
  });
  const { session } = late;
  await session.waitFor(/^>o bazaar +running +- +0 +\d+s │/m);
  session.press('2', 'f');
  await session.waitFor(/ README\.md +9 B +\d+s/);
  session.press('f', '1', 'd');
  await session.waitFor(/created +\S+ +\d+s ago/);
});
