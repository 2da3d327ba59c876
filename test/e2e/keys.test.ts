import { expect, test } from 'vitest';
import { createDeployment, openOnForeign } from './foreign-console.ts';

test('200 keys in one write act as 200 keys, in order', async () => {
  await using deck = await openOnForeign({
    prepare: async (foreign) => {
      for (let index = 1; index <= 260; index += 1) {
        await createDeployment(foreign, `row-${String(index).padStart(3, '0')}`);
      }
    },
  });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments 261]');
  session.press(...Array<string>(200).fill('j'));
  await session.waitFor(/^> {2}row-200/m);
});

test('200 characters in one write arrive whole and in order in a text field', async () => {
  await using deck = await openOnForeign({ cols: 240, rows: 30 });
  const { session } = deck;
  await session.waitFor('[1 Deployments 1]');
  const text = Array.from({ length: 200 }, (_, index) =>
    String.fromCharCode(97 + (index % 26)),
  ).join('');
  session.type(`/${text}`);
  await session.waitFor(`/${text}`);
});

test('a paste of 10 kB never acts as keys', async () => {
  await using deck = await openOnForeign();
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments 1]');
  const keys = 'rqq\rXa:jk\t\x03\x1b[A2d/\u001b';
  session.paste(keys.repeat(Math.ceil(10_000 / keys.length)));
  session.press('?');
  await session.waitFor('Help: Deployments');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Help:'));
  expect(session.screen).toContain('[1 Deployments 1]');
  expect(foreign.writes().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a paste into a field becomes one line of text in it', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1', '/');
  await session.waitFor(/^\/$/m);
  session.paste('baz\r\x1b[Aaar\x03\n');
  await session.waitFor('/baz [Aaar');
  session.type('x');
  await session.waitFor('/baz [Aaarx');
});
