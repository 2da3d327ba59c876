import { expect, test } from 'vitest';
import { createDeployment, openOnForeign } from './foreign-console.ts';

test('moving the cursor opens nothing; Enter opens', async () => {
  await using deck = await openOnForeign({
    prepare: (foreign) => createDeployment(foreign, 'souk'),
  });
  const { session, foreign } = deck;
  await session.waitFor(/\[4 Logs bazaar\].* live/);
  session.press('1');
  await session.waitFor(/^>o bazaar/m);
  session.press('j');
  await session.waitFor(/^> {2}souk/m);
  expect(foreign.streams()).toBe(1);
  expect(session.screen).toContain('4 Logs bazaar');
  session.press('enter');
  await session.waitFor('[4 Logs souk]');
  session.press('1');
  await session.waitFor(/^>o souk/m);
});

test('typing ahead finds one of many: slash, name and Enter twice in one write', async () => {
  await using deck = await openOnForeign({
    prepare: async (foreign) => {
      for (let index = 0; index < 30; index += 1) await createDeployment(foreign, `shop-${index}`);
      await createDeployment(foreign, 'payments');
    },
  });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments 32]');
  session.press('/', 'p', 'a', 'y', 'enter', 'enter');
  await session.waitFor('[4 Logs payments]');
});

test('a filter narrows while it is typed; Esc restores what was there', async () => {
  await using deck = await openOnForeign({
    prepare: (foreign) => createDeployment(foreign, 'souk'),
  });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('souk');
  session.press('/');
  await session.waitFor(/^\/$/m);
  session.type('sou');
  await session.waitFor((now) => !/^>?.{2,3}bazaar /m.test(now.screen));
  session.press('escape');
  await session.waitFor(/bazaar .*running/);
});

test('a file is viewed with less-keys; letters change nothing', async () => {
  await using deck = await openOnForeign({
    prepare: (foreign) => {
      const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n');
      foreign.put(foreign.sample, 'web', 'long.txt', `${text}\n`);
    },
  });
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('2');
  await session.waitFor('long.txt');
  session.press('/', 'l', 'o', 'n', 'g', 'enter', 'enter');
  await session.waitFor('[4 View long.txt]');
  await session.waitFor('  1 line 1');
  session.press('G');
  await session.waitFor('100 line 100');
  session.press('g', 'j', 'j');
  await session.waitFor((now) => /^ +3 line 3$/.test(now.terminal.rows[2] ?? ''));
  session.press('q');
  await session.waitFor(/\[2 Files/);
  expect(foreign.writes().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a file that is JSON with a content key is shown as it is', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('2');
  await session.waitFor('flags.json');
  session.press('/', 'f', 'l', 'a', 'g', 's', 'enter', 'enter');
  await session.waitFor('{"content":"not an envelope","beta":true}');
});

test('the service is picked by typing a part of its name', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('2');
  await session.waitFor('2 Files bazaar/web');
  session.press('s', 'o', 'r', 'k', 'enter');
  await session.waitFor('2 Files bazaar/worker 1');
  await session.waitFor('job.py');
});

test('grants say which way they go, how much is spent and how long they last', async () => {
  const day = 86_400_000;
  await using deck = await openOnForeign({
    prepare: (foreign) => {
      const grant = (id: string, grantor: string, grantee: string, spent: number, days: number) =>
        foreign.grants.set(id, {
          id,
          grantor,
          grantee,
          limit: 50,
          spent,
          expiresAt: new Date(Date.now() + days * day + 60_000).toISOString(),
          createdAt: new Date(Date.now() - 40 * day).toISOString(),
        });
      grant('a', foreign.wallet, 'cosmos1dana', 12.5, 6);
      grant('b', 'cosmos1boss', foreign.wallet, 0.1 + 0.2, 30);
      grant('c', foreign.wallet, 'cosmos1late', 1, -1);
      grant('d', foreign.wallet, 'cosmos1full', 50, 9);
    },
  });
  const { session } = deck;
  await session.waitFor('3 Grants 4');
  session.press('3');
  await session.waitFor(/given to +cos\.\.na +12\.5\/50 #+-+ +\S+ +6d {2}active/);
  await session.waitFor(/received from cos\.\.ss +0\.3\/50 #-+ +\S+ +30d {2}active/);
  await session.waitFor(/given to +cos\.\.te +1\/50 #-+ +- +- {2}expired/);
  await session.waitFor(/^ {3}party +used\/limit +rate\/h +ends {2}state$/m);
  await session.waitFor(/given to +cos\.\.ll +50\/50 #+ +- +- {2}limit reached/);
  session.press('enter');
  await session.waitFor('grantee     cosmos1dana');
});

test('details show every field, the unknown ones too', async () => {
  await using deck = await openOnForeign();
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments 1]');
  session.press('d');
  await session.waitFor('[4 Details bazaar]');
  await session.waitFor(foreign.sample);
  await session.waitFor('owner       cosmos1foreign');
  session.press('escape');
  await session.waitFor('[1 Deployments 1]');
});

test('the help searches the commands of a pane, and Enter runs one', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('?');
  await session.waitFor(/┌ Help: Logs ─+ 1-10 of \d+ ┐/);
  await session.waitFor(/│ FOLLOW +│\n.*│ > Space +pause or follow +:pause +│/);
  session.press('tab');
  await session.waitFor('Help: Deployments');
  session.type('invert');
  await session.waitFor(/Find: invert +│\n.*│ FIND +│\n.*│ > I +reverse the order +invert +│/);
  session.press('enter');
  await session.waitFor((now) => !now.screen.includes('Help:'));
  await session.waitFor('[1 Deployments 1');
  session.press('?');
  await session.waitFor('Help: Deployments');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Help:'));
});

test('the help fills the rows of a small terminal', async () => {
  await using deck = await openOnForeign({ cols: 40, rows: 12 });
  const { session } = deck;
  await session.waitFor('4');
  session.press('4');
  await session.waitFor('? help');
  session.press('?');
  await session.waitFor((now) => /^ Help: Logs ━+ 1-\d of \d+$/.test(now.terminal.rows[1] ?? ''));
  session.press('end', ...Array<string>(9).fill('pagedown'));
  await session.waitFor(/> : +end hostdeck/);
});

test('pausing keeps the visible lines and counts new ones; G follows again', async () => {
  await using deck = await openOnForeign({ cols: 120, rows: 36 });
  const { session, foreign } = deck;
  for (let line = 1; line <= 5; line += 1) foreign.append(foreign.sample, 'web', `early ${line}`);
  await session.waitFor('early 5');
  session.press('4', 'space');
  await session.waitFor('PAUSED');
  await session.waitFor(/>\d\d:\d\d:\d\d\.\d{3} web +early 5/);
  for (let line = 1; line <= 50; line += 1) foreign.append(foreign.sample, 'web', `late ${line}`);
  await session.waitFor('PAUSED +50');
  expect(session.screen).toContain('early 1');
  session.press('G');
  await session.waitFor('late 50');
});
