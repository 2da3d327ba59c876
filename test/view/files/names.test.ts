import { expect, test } from 'vitest';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { boxOf, goToFile, openUndo, press, promptOf, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

function stored({ foreign }: OpenDeck, path: string): string | undefined {
  return foreign.stored(foreign.sample, 'web', path)?.toString();
}

async function expectCursor({ deck }: OpenDeck, path: string): Promise<void> {
  await waitFor(() => {
    expect(deck.lists.files.ids()).toContain(path);
    expect(deck.screen.getState().cursors.files.id).toBe(path);
  });
}

test('A copies the file under the cursor and asks before replacing one', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'README.md');
  press(deck, 'A');
  expect(await promptOf(deck, 'Copy README.md to: ')).toBe('README.md');
  press(deck, 'end');
  type(deck, '.bak');
  press(deck, 'enter');
  await said(deck, 'Copied README.md to README.md.bak.');
  expect(stored(open, 'README.md.bak')).toBe('# bazaar\n');
  await expectCursor(open, 'README.md.bak');
  goToFile(deck, 'index.html');
  press(deck, 'A');
  await promptOf(deck, 'Copy index.html');
  press(deck, 'ctrl+u');
  type(deck, 'README.md.bak');
  press(deck, 'enter');
  await boxOf(deck, 'replace README.md.bak?');
  expect(stored(open, 'README.md.bak')).toBe('# bazaar\n');
  press(deck, 'tab', 'enter');
  await said(deck, 'Copied index.html to README.md.bak.');
  expect((await openUndo(deck))[0]).toContain('Replaced README.md.bak |');
});

test('m prompts for the new path, confirms, then moves', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  press(deck, 'm');
  expect(await promptOf(deck, 'Move index.html to: ')).toBe('index.html');
  press(deck, 'ctrl+u');
  type(deck, 'con');
  press(deck, 'tab', 'enter');
  const question = await boxOf(deck, 'move index.html?');
  expect(question.lines).toContain('to config/index.html');
  expect(foreign.writes()).toEqual([]);
  press(deck, 'tab', 'enter');
  await said(deck, 'Moved index.html to config/index.html.');
  expect(stored(open, 'index.html')).toBeUndefined();
  await expectCursor(open, 'config/index.html');
});

test('a move onto another file asks; Replace puts the old file into the trash', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'index.html');
  press(deck, 'm', 'ctrl+u');
  type(deck, 'README.md');
  press(deck, 'enter');
  const question = await boxOf(deck, 'move index.html?');
  expect(question.lines).toContain('Already there: README.md.');
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Replace']);
  press(deck, 'tab', 'enter');
  await said(deck, 'Moved index.html to README.md.');
  const [newest] = await openUndo(deck);
  expect(newest).toBe('Moved index.html | bazaar/web index.html to README.md, README.md');
  press(deck, 'enter');
  await said(deck, 'Restored 2 files.');
  expect(stored(open, 'README.md')).toBe('# bazaar\n');
  expect(stored(open, 'index.html')).toBeDefined();
});

test('Skip leaves the files whose target exists', async () => {
  await using open = await openDeck({}, (foreign) =>
    foreign.put(foreign.sample, 'web', 'etc/app.yaml', 'other'),
  );
  const { deck } = open;
  goToFile(deck, 'config/app.yaml');
  press(deck, 'space', 'space', 'm', 'ctrl+u');
  type(deck, 'etc');
  press(deck, 'enter');
  const question = await boxOf(deck, 'move 2 files?');
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Skip', 'Replace']);
  press(deck, 'tab', 'enter');
  await said(deck, 'Moved config/flags.json to etc/flags.json.');
  expect(stored(open, 'etc/app.yaml')).toBe('other');
  expect(stored(open, 'config/app.yaml')).toBeDefined();
});

test('a typed path replaces the old one, and comes back with the error', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'config');
  press(deck, 'm');
  expect(await promptOf(deck, 'Move config to: ')).toBe('config');
  type(deck, 'config/in');
  press(deck, 'enter');
  await waitFor(() =>
    expect(deck.screen.getState().overlay).toMatchObject({
      kind: 'prompt',
      text: 'config/in',
      problem: { sentence: expect.stringContaining('into itself') as string },
    }),
  );
});

test('a folder moves with all its files', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'config');
  press(deck, 'm');
  await promptOf(deck, 'Move config to: ');
  press(deck, 'ctrl+u');
  type(deck, 'etc');
  press(deck, 'enter');
  await boxOf(deck, 'move 2 files?');
  press(deck, 'tab', 'enter');
  await said(deck, 'Moved 2 files to etc.');
  expect(stored(open, 'etc/flags.json')).toBeDefined();
  expect(stored(open, 'config/flags.json')).toBeUndefined();
});

test('a refused move reports the files moved before', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'config');
  press(deck, 'm', 'ctrl+u');
  type(deck, 'etc');
  press(deck, 'enter');
  await boxOf(deck, 'move 2 files?');
  foreign.failNext(1, { status: 500, method: 'PATCH' });
  press(deck, 'tab', 'enter');
  await said(deck, 'config/app.yaml was not moved.');
  expect(stored(open, 'config/flags.json')).toBeDefined();
});

test('Space marks rows, X and m act on the marks, and Esc clears them', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'config/app.yaml');
  press(deck, 'space', 'space');
  expect([...deck.screen.getState().marks]).toEqual(['config/app.yaml', 'config/flags.json']);
  press(deck, 'escape');
  expect(deck.screen.getState().marks.size).toBe(0);
  goToFile(deck, 'config/app.yaml');
  press(deck, 'space');
  goToFile(deck, 'README.md');
  press(deck, 'space', 'm');
  await promptOf(deck, 'Move 2 marked into: ');
  press(deck, 'ctrl+u');
  type(deck, 'kept');
  press(deck, 'enter');
  await boxOf(deck, 'move 2 files?');
  press(deck, 'tab', 'enter');
  await said(deck, 'Moved 2 files to kept.');
  expect(stored(open, 'kept/app.yaml')).toBe('server:\n  port: 8080\n');
  expect(deck.screen.getState().marks.size).toBe(0);
  await expectCursor(open, 'kept/README.md');
});

test('X names and deletes exactly the marked files', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'config/flags.json');
  press(deck, 'space');
  goToFile(deck, 'README.md');
  press(deck, 'space');
  goToFile(deck, 'index.html');
  press(deck, 'X');
  const question = await boxOf(deck, 'delete 2 files?');
  expect(question.lines).toEqual(expect.arrayContaining(['config/flags.json', 'README.md']));
  press(deck, 'tab');
  type(deck, 'delete 2');
  press(deck, 'enter');
  await said(deck, 'Deleted 2 files');
  expect(stored(open, 'index.html')).toBeDefined();
  expect(stored(open, 'README.md')).toBeUndefined();
});

test('marks belong to one service', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'index.html');
  press(deck, 'space');
  deck.opened.chooseService('worker');
  expect(deck.screen.getState().marks.size).toBe(0);
});

test('A copies the marked files into a folder after a box', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'config/app.yaml');
  press(deck, 'space', 'space');
  goToFile(deck, 'README.md');
  press(deck, 'A');
  expect(await promptOf(deck, 'Copy 2 marked into: ')).toBe('');
  type(deck, 'backup');
  press(deck, 'enter');
  const question = await boxOf(deck, 'copy 2 files?');
  expect(question.lines).toContain('config/app.yaml to backup/app.yaml');
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Copy']);
  expect(foreign.writes()).toEqual([]);
  press(deck, 'tab', 'enter');
  await said(deck, 'Copied 2 files to backup.');
  expect(stored(open, 'backup/app.yaml')).toBe(stored(open, 'config/app.yaml'));
  expect(stored(open, 'backup/flags.json')).toBe(stored(open, 'config/flags.json'));
  await waitFor(() => expect(deck.screen.getState().marks.size).toBe(0));
});

test('A takes one marked file instead of the row', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'config/app.yaml');
  press(deck, 'space');
  goToFile(deck, 'README.md');
  press(deck, 'A');
  await promptOf(deck, 'Copy app.yaml to: ');
});
