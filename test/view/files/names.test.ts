import { expect, test } from 'vitest';
import { listIds } from '../../../source/store/deck/rows.ts';
import { openConsole, type OpenConsole } from '../open-deck.ts';
import { boxOf, goToFile, press, promptOf, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

function stored({ foreign }: OpenConsole, path: string): string | undefined {
  return foreign.stored(foreign.sample, 'web', path)?.toString();
}

async function expectCursor({ console }: OpenConsole, path: string): Promise<void> {
  await waitFor(() => {
    expect(listIds(console, 'files')).toContain(path);
    expect(console.screen.getState().cursors.files.id).toBe(path);
  });
}

test('a makes a file below the folder of the cursor, and the cursor goes to it', async () => {
  await using open = await openConsole();
  const { console } = open;
  goToFile(console, 'config/app.yaml');
  press(console, 'a');
  expect(await promptOf(console, 'New file in bazaar/web: ')).toBe('config/');
  type(console, 'new/x.txt');
  press(console, 'enter');
  await said(console, 'Created config/new/x.txt.');
  expect(stored(open, 'config/new/x.txt')).toBe('');
  await expectCursor(open, 'config/new/x.txt');
});

test('a new file hidden by the filter is shown: the filter goes', async () => {
  await using open = await openConsole();
  const { console } = open;
  press(console, '2', '/');
  type(console, 'index');
  press(console, 'enter', 'a');
  await promptOf(console, 'New file');
  type(console, 'z.txt');
  press(console, 'enter');
  await expectCursor(open, 'z.txt');
  expect(console.screen.getState().filters.files).toBe('');
});

test('Enter typed ahead of the prompt makes nothing', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  goToFile(console, 'index.html');
  press(console, 'a', 'x', 'enter');
  await promptOf(console, 'New file');
  expect(foreign.writes()).toEqual([]);
});

test('a file that exists is said, and not touched', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  goToFile(console, 'index.html');
  press(console, 'a');
  await promptOf(console, 'New file');
  type(console, 'README.md');
  press(console, 'enter');
  await said(console, 'README.md exists. Nothing was sent.');
  expect(foreign.writes()).toEqual([]);
});

test('A copies the file under the cursor, and asks before it replaces one', async () => {
  await using open = await openConsole();
  const { console } = open;
  goToFile(console, 'README.md');
  press(console, 'A');
  expect(await promptOf(console, 'Copy README.md to: ')).toBe('README.md');
  type(console, '.bak');
  press(console, 'enter');
  await said(console, 'Copied README.md to README.md.bak.');
  expect(stored(open, 'README.md.bak')).toBe('# bazaar\n');
  await expectCursor(open, 'README.md.bak');
  goToFile(console, 'index.html');
  press(console, 'A');
  await promptOf(console, 'Copy index.html');
  press(console, 'ctrl+u');
  type(console, 'README.md.bak');
  press(console, 'enter');
  await boxOf(console, 'replace README.md.bak?');
  expect(stored(open, 'README.md.bak')).toBe('# bazaar\n');
  press(console, 'tab', 'enter');
  await said(console, 'Copied index.html to README.md.bak.');
  press(console, 'u');
  await boxOf(console, 'put README.md.bak back?');
});

test('m asks for the new path, then asks again, then moves', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  goToFile(console, 'index.html');
  press(console, 'm');
  expect(await promptOf(console, 'Move index.html to: ')).toBe('index.html');
  press(console, 'ctrl+u');
  type(console, 'con');
  press(console, 'tab', 'enter');
  const question = await boxOf(console, 'move index.html?');
  expect(question.lines).toContain('to config/index.html');
  expect(foreign.writes()).toEqual([]);
  press(console, 'tab', 'enter');
  await said(console, 'Moved index.html to config/index.html.');
  expect(stored(open, 'index.html')).toBeUndefined();
  await expectCursor(open, 'config/index.html');
});

test('a move onto another file says so; Replace keeps what was there', async () => {
  await using open = await openConsole();
  const { console } = open;
  goToFile(console, 'index.html');
  press(console, 'm', 'ctrl+u');
  type(console, 'README.md');
  press(console, 'enter');
  const question = await boxOf(console, 'move index.html?');
  expect(question.lines).toContain('There already: README.md.');
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Replace']);
  press(console, 'tab', 'enter');
  await said(console, 'Moved index.html to README.md.');
  press(console, 'u');
  await boxOf(console, 'put README.md back?');
});

test('of several, Skip leaves those that another file is in the way of', async () => {
  await using open = await openConsole({}, (foreign) =>
    foreign.put(foreign.sample, 'web', 'etc/app.yaml', 'other'),
  );
  const { console } = open;
  goToFile(console, 'config/app.yaml');
  press(console, 'space', 'space', 'm', 'ctrl+u');
  type(console, 'etc');
  press(console, 'enter');
  const question = await boxOf(console, 'move 2 files?');
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Skip', 'Replace']);
  press(console, 'tab', 'enter');
  await said(console, 'Moved config/flags.json to etc/flags.json.');
  expect(stored(open, 'etc/app.yaml')).toBe('other');
  expect(stored(open, 'config/app.yaml')).toBeDefined();
});

test('a folder moves with all below it', async () => {
  await using open = await openConsole();
  const { console } = open;
  goToFile(console, 'config');
  press(console, 'm');
  await promptOf(console, 'Move config to: ');
  press(console, 'ctrl+u');
  type(console, 'etc');
  press(console, 'enter');
  await boxOf(console, 'move 2 files?');
  press(console, 'tab', 'enter');
  await said(console, 'Moved 2 files to etc.');
  expect(stored(open, 'etc/flags.json')).toBeDefined();
  expect(stored(open, 'config/flags.json')).toBeUndefined();
});

test('a move that the service refuses says what was moved before', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  goToFile(console, 'config');
  press(console, 'm', 'ctrl+u');
  type(console, 'etc');
  press(console, 'enter');
  await boxOf(console, 'move 2 files?');
  foreign.failNext(1, { status: 500, method: 'PATCH' });
  press(console, 'tab', 'enter');
  await said(console, 'config/app.yaml was not moved.');
  expect(stored(open, 'config/flags.json')).toBeDefined();
});

test('Space marks rows, X and m act on the marks, and Esc clears them', async () => {
  await using open = await openConsole();
  const { console } = open;
  goToFile(console, 'config/app.yaml');
  press(console, 'space', 'space');
  expect([...console.screen.getState().marks]).toEqual(['config/app.yaml', 'config/flags.json']);
  press(console, 'escape');
  expect(console.screen.getState().marks.size).toBe(0);
  goToFile(console, 'config/app.yaml');
  press(console, 'space');
  goToFile(console, 'README.md');
  press(console, 'space', 'm');
  await promptOf(console, 'Move 2 marked into: ');
  press(console, 'ctrl+u');
  type(console, 'kept');
  press(console, 'enter');
  await boxOf(console, 'move 2 files?');
  press(console, 'tab', 'enter');
  await said(console, 'Moved 2 files to kept.');
  expect(stored(open, 'kept/app.yaml')).toBe('server:\n  port: 8080\n');
  expect(console.screen.getState().marks.size).toBe(0);
  await expectCursor(open, 'kept/README.md');
});

test('X on marks names each and deletes no other', async () => {
  await using open = await openConsole();
  const { console } = open;
  goToFile(console, 'config/flags.json');
  press(console, 'space');
  goToFile(console, 'README.md');
  press(console, 'space');
  goToFile(console, 'index.html');
  press(console, 'X');
  const question = await boxOf(console, 'delete 2 files?');
  expect(question.lines).toEqual(expect.arrayContaining(['config/flags.json', 'README.md']));
  press(console, 'tab');
  type(console, 'delete 2');
  press(console, 'enter');
  await said(console, 'Deleted 2 files');
  expect(stored(open, 'index.html')).toBeDefined();
  expect(stored(open, 'README.md')).toBeUndefined();
});

test('marks belong to one service', async () => {
  await using open = await openConsole();
  const { console } = open;
  goToFile(console, 'index.html');
  press(console, 'space');
  console.chooseService('worker');
  expect(console.screen.getState().marks.size).toBe(0);
});
