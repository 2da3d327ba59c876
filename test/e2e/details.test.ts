import { expect, test } from 'vitest';
import { here } from './console-here.ts';
import { openOnForeign } from './foreign-console.ts';
import { launch } from './harness.ts';

test('Details show a row cursor, colours for the SDL, and copy what is under it', async () => {
  await using deck = await openOnForeign();
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments');
  session.press('d');
  await session.waitFor(/^>id +/m);
  session.press('y');
  await session.waitFor(`Sent ${foreign.sample.length} B to the clipboard`);
  session.press('G');
  await session.waitFor((now) => /^>/m.test(now.screen) && now.screen.includes('image: busybox'));
  const { y } = session.find('image: busybox');
  await session.waitFor(({ terminal }) => terminal.row(y).includes('image'));
  session.press('k', 'Y');
  await session.waitFor(/Sent \d+ B to the clipboard/);
});

test('J shows the answer as it came, with fields nobody knows, and J again the fields', async () => {
  await using deck = await openOnForeign({ service: { envelope: 'data' } });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1', 'd', 'J');
  await session.waitFor('Original answer; Y copies it.');
  await session.waitFor('"success": true,');
  session.press('G');
  await session.waitFor('"region": "eu-foreign-1"');
  session.press('J');
  await session.waitFor(/^>id +/m);
});

test('on the host: services have their ports, and a page scrolls what is seen', async () => {
  await using session = launch({ run: here });
  await session.waitFor(/job \d+/);
  session.press('1');
  await session.waitFor('[1 Deployments');
  session.press('d');
  await session.waitFor(/ports +\d/);
  // The definition comes with the deployment itself, after the fields of the list.
  await session.waitFor(/^ sdl$/m);
  session.press('space');
  await session.waitFor((now) => !now.screen.includes('created'));
  expect(session.screen).toMatch(/^>/m);
  // 40 columns have no room for the whole time; how long ago it was counts.
  session.press('g');
  session.resize(40, 24);
  await session.waitFor(/^ created +[-\d]+ [:\d]+, \d+[smh] ago$/m);
  await session.waitFor(/^ +web +\w+ up \d+[smh], \d/m);
});
