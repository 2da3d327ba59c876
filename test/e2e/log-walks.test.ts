import { expect, test } from 'vitest';
import type { Foreign } from '../servers/foreign.ts';
import { openOnForeign } from './foreign-console.ts';
import type { Session } from './harness.ts';

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 36 },
  { cols: 200, rows: 50 },
];

function append(foreign: Foreign, service: string, texts: readonly string[]): void {
  for (const text of texts) foreign.append(foreign.sample, service, text);
}

/** Returns the line under the cursor of the log, without its time. */
function cursorLine({ terminal }: Session): string | undefined {
  const row = terminal.rows.find((each) => />\d\d:\d\d:\d\d/.test(each));
  return row?.replace(/^.*>[\d:.]+ /, '');
}

const onLine = (text: RegExp) => (session: Session) => text.test(cursorLine(session) ?? '');

test.each(sizes)(
  'Two services: s pick, Space, Enter: the tail shows both by name, at $cols x $rows',
  async (size) => {
    await using deck = await openOnForeign(size);
    const { session, foreign } = deck;
    append(foreign, 'cron', ['nightly backup']);
    append(foreign, 'web', ['GET /pay 504']);
    append(foreign, 'worker', ['job 7 done']);
    await session.waitFor('job 7 done');
    expect(session.screen).toContain('nightly backup');
    session.press('4', 's');
    await session.waitFor('services shown');
    session.type('web work ');
    await session.waitFor(/\* worker/);
    expect(session.screen).toMatch(/\* web/);
    session.press('enter');
    await session.waitFor((now) => !now.screen.includes('nightly backup'));
    await session.waitFor('bazaar: web worker');
    append(foreign, 'cron', ['hourly cleanup']);
    append(foreign, 'web', ['GET /health 200']);
    append(foreign, 'worker', ['job 8 done']);
    await session.waitFor(/ worker job 8 done/);
    expect(session.screen).toMatch(/ web +GET \/health 200/);
    expect(session.screen).not.toContain('hourly cleanup');
    session.press('s', 'enter');
    await session.waitFor('hourly cleanup');
    await session.waitFor((now) => !now.screen.includes('bazaar: web worker'));
  },
);

test('Pause to export: Space, a search, N, a filter: matches are found, nothing scrolls', async () => {
  await using deck = await openOnForeign();
  const { session, foreign } = deck;
  const before = Array.from({ length: 10 }, (_, index) => `line ${index}`);
  append(foreign, 'web', [...before, 'first x: timeout', 'second x: y', 'GET /health 200']);
  append(foreign, 'worker', ['third x: y timeout', 'idle']);
  await session.waitFor('idle');
  session.press('4', 'space');
  await session.waitFor(onLine(/idle/));
  append(foreign, 'web', ['fourth x, below the eye']);
  await session.waitFor('PAUSED +1');
  session.press('/');
  session.type('x:');
  await session.waitFor(onLine(/third x: y timeout/));
  session.press('enter');
  await session.waitFor(/^\/ x: {2}3 of 3/m);
  const { x, y } = session.find('x: y timeout');
  expect(session.terminal.cell(x, y)).toMatchObject({ color: 16, backgroundColor: 221 });
  expect(session.terminal.cell(x + 3, y).backgroundColor).toBeUndefined();
  session.press('N');
  await session.waitFor(onLine(/second x: y/));
  await session.waitFor(/^\/ x: {2}2 of 3/m);
  session.press('&');
  session.type('y');
  await session.waitFor((now) => !now.screen.includes('GET /health'));
  session.press('enter');
  await session.waitFor(/^& y {2}\d+ of 18 +\/ x: {2}\d of 2/m);
  await session.waitFor(onLine(/second x: y/));
  expect(session.screen).not.toContain('first x: timeout');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('/ x:'));
  expect(session.screen).toContain('& y ');
  session.press('escape');
  await session.waitFor('first x: timeout');
  await session.waitFor(onLine(/second x: y/));
});

test('a filter without matches shows a notice, and Esc clears it', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('started');
  session.press('4', '&');
  session.type('nowhere');
  session.press('enter');
  await session.waitFor(/^ 0 of \d+ lines match\. Esc turns it off\./m);
  session.press('escape');
  await session.waitFor('started');
});

test('a pattern that takes too long is stopped, and keys stay responsive', async () => {
  await using deck = await openOnForeign();
  const { session, foreign } = deck;
  append(foreign, 'web', [`${'word '.repeat(200)}?`, 'the end']);
  await session.waitFor('the end');
  for (const key of ['/', '&'] as const) {
    session.press('4', key, 'tab');
    session.type(String.raw`(\w+\s?)+$!`);
    await session.waitFor('takes too long');
    session.press('enter', 'x');
    await session.waitFor(`${key}re:${String.raw`(\w+\s?)+$!`}x`);
    session.press('escape');
    await session.waitFor((now) => !now.screen.includes(`${key}re:`));
    session.press('1');
    await session.waitFor('[1 Deployments 1]');
  }
  session.press('4');
  await session.waitFor('the end');
});

test('without colours, matches are underlined', async () => {
  await using deck = await openOnForeign({ env: { NO_COLOR: '1' } });
  const { session, foreign } = deck;
  append(foreign, 'web', ['a slow query']);
  await session.waitFor('a slow query');
  session.press('4', '/');
  session.type('slow');
  session.press('enter');
  await session.waitFor(onLine(/a slow query/));
  const { x, y } = session.find('slow query');
  expect(session.terminal.cell(x, y)).toMatchObject({ underline: true, color: undefined });
  expect(session.terminal.cell(x + 4, y).underline).toBe(false);
});
