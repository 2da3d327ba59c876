import { expect, test } from 'vitest';
import { edit, goToFile } from './edit-console.ts';
import { openOnForeign } from './foreign-console.ts';

const yaml = [
  'server:',
  '  port: 8080',
  '  timeout: 2s',
  '  upstream: http://127.0.0.1:8080',
  'log:',
  '  level: info',
];

/** Opens a file of these lines in the viewer. */
async function view(lines: readonly string[]) {
  const deck = await openOnForeign({
    prepare: (foreign) => foreign.put(foreign.sample, 'web', 'found.txt', `${lines.join('\n')}\n`),
  });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  await goToFile(session, 'found.txt');
  session.press('enter');
  await session.waitFor(lines[0] ?? '');
  return deck;
}

test('/ searches the viewer, n and N step through the matches, and Esc ends it', async () => {
  await using deck = await view(yaml);
  const { session } = deck;
  session.press('/');
  session.type('8080');
  await session.waitFor(/^\/8080 +1 of 2$/m);
  await session.waitFor(({ terminal }) => terminal.rows[2] === '/ 8080  1 of 2');
  session.press('enter');
  await session.waitFor(/^> {2}2 {3}port: 8080$/m);
  await session.waitFor(/^e edit.* \/ search {2}n\/N match/m);
  session.press('n');
  await session.waitFor('/ 8080  2 of 2');
  await session.waitFor(/^> {2}4 {3}upstream/m);
  session.press('n');
  await session.waitFor('/ 8080  1 of 2');
  session.press('N');
  await session.waitFor('/ 8080  2 of 2');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('/ 8080'));
  expect(session.screen).toContain('4 View found.txt');
  session.press('n');
  await session.waitFor('No search is active.');
});

test('a match far below is scrolled to, and Esc in the prompt returns', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`);
  await using deck = await view(lines);
  const { session } = deck;
  session.press('/');
  session.type('line 15000');
  await session.waitFor(/^> {2}15000 line 15000$/m);
  session.press('escape');
  await session.waitFor(/^ {7}1 line 1$/m);
  session.press('/');
  session.type('LINE');
  await session.waitFor(/^\/LINE +no match$/m);
});

test('a match far to the right is scrolled to', async () => {
  await using deck = await view(['short', `${'x'.repeat(300)}needle`]);
  const { session } = deck;
  session.press('/');
  session.type('needle');
  await session.waitFor(/^> {2}2 …x+needle$/m);
  session.press('enter', 'g');
  await session.waitFor('/ needle  1 of 1');
});

test('Details and the history are searched, too', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments');
  session.press('d');
  await session.waitFor(/^>id +/m);
  session.press('/');
  session.type('busybox');
  session.press('enter');
  await session.waitFor(/^>.*image: busybox/m);
  await session.waitFor(/^\/ busybox {2}1 of \d/m);
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('/ busybox'));
  session.press('y');
  await session.waitFor('to the clipboard');
  session.press(':');
  await session.waitFor('Tab complete');
  session.type('history');
  await session.waitFor('> History');
  session.press('enter');
  await session.waitFor('[4 History]');
  session.press('/');
  session.type('clip');
  session.press('enter');
  await session.waitFor('/ clip  1 of 1');
  session.press('q');
  await session.waitFor((now) => !now.screen.includes('/ clip'));
});

test('n steps to matches in a searched difference, and to changes without a search', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  await edit(session, 'README');
  session.type('one two ');
  session.press('ctrl+q');
  await session.waitFor(/\[2 Files/);
  session.press('D');
  await session.waitFor('one two # bazaar');
  session.press('n');
  await session.waitFor('This is the last change.');
  session.press('/');
  session.type('bazaar');
  session.press('enter');
  await session.waitFor('/ bazaar  1 of 2');
  session.press('n');
  await session.waitFor('/ bazaar  2 of 2');
});
