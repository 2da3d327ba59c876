import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { transferLine } from '../../../source/view/files/transfer-line.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { boxOf, goToFile, openUndo, press, promptOf, said, type } from '../press-keys.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

function stored({ foreign }: OpenDeck, file: string): string | undefined {
  return foreign.stored(foreign.sample, 'web', file)?.toString();
}

/** Creates a local folder with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

test('p uploads a folder into the one under the cursor and starts one countdown', async () => {
  const folder = folderWith({ 'site/a.txt': 'a', 'site/deep/b.txt': 'b' });
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'config/app.yaml');
  press(deck, 'p');
  await promptOf(deck, 'Upload to bazaar/web/config/');
  type(deck, `${folder}/si`);
  press(deck, 'tab');
  await waitFor(async () => expect(await promptOf(deck, 'Upload')).toBe(`${folder}/site/`));
  press(deck, 'enter');
  const question = await boxOf(deck, 'upload 2 files?');
  expect(question.lines).toEqual(
    expect.arrayContaining(['config/site/a.txt', 'config/site/deep/b.txt']),
  );
  expect(foreign.writes()).toEqual([]);
  press(deck, 'tab', 'enter');
  await said(deck, '2 files uploaded to bazaar/web/config.');
  expect(stored(open, 'config/site/deep/b.txt')).toBe('b');
  const restart = deck.restarts.state.getState().get(foreign.sample);
  expect(restart?.kind).toBe('counting');
  expect(restart?.changes?.files).toHaveLength(2);
  expect(deck.screen.getState().transfer).toBeUndefined();
});

async function askUpload(open: OpenDeck, ...files: readonly string[]): Promise<void> {
  goToFile(open.deck, 'index.html');
  press(open.deck, 'p');
  await promptOf(open.deck, 'Upload to bazaar/web/');
  press(open.deck, ...files.join(' ').split(''), 'enter');
}

test('existing files are asked about once; Skip leaves them', async () => {
  const folder = folderWith({ 'README.md': 'mine', 'new.txt': 'new' });
  await using open = await openDeck();
  await askUpload(open, `${folder}/README.md`, `${folder}/new.txt`);
  const question = await boxOf(open.deck, 'upload 2 files?');
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Skip', 'Replace']);
  expect(question.lines).toContain('Already there: README.md.');
  press(open.deck, 'tab', 'enter');
  await said(open.deck, '1 file uploaded to bazaar/web, 1 left as it was.');
  expect(stored(open, 'README.md')).toBe('# bazaar\n');
});

test('Replace puts the old file into the trash, and u restores it', async () => {
  const folder = folderWith({ 'README.md': 'mine' });
  await using open = await openDeck();
  const { deck } = open;
  await askUpload(open, `${folder}/README.md`);
  await boxOf(deck, 'upload README.md?');
  press(deck, 'tab', 'enter');
  await said(deck, '1 file uploaded');
  expect(stored(open, 'README.md')).toBe('mine');
  expect(await openUndo(deck)).toEqual(['Replaced README.md | bazaar/web README.md']);
  press(deck, 'enter');
  await said(deck, 'Restored README.md.');
  expect(stored(open, 'README.md')).toBe('# bazaar\n');
  await openUndo(deck);
  press(deck, 'enter');
  await waitFor(() => expect(stored(open, 'README.md')).toBe('mine'));
});

test('Cancel sends nothing', async () => {
  const folder = folderWith({ 'README.md': 'mine' });
  await using open = await openDeck();
  await askUpload(open, `${folder}/README.md`);
  await boxOf(open.deck, 'upload README.md?');
  press(open.deck, 'enter');
  expect(open.foreign.writes()).toEqual([]);
  expect(open.deck.screen.getState().overlay).toBeUndefined();
});

test('a path without a file is reported', async () => {
  await using open = await openDeck();
  await askUpload(open, '/nothing/here');
  await said(open.deck, 'Nothing to upload. /nothing/here: no such file.');
});

test.each(['escape', 'ctrl+c'])(
  '%s stops a running upload; q does not quit over it',
  async (key) => {
    const folder = folderWith({ 'new.txt': 'new' });
    await using open = await openDeck();
    const { deck, foreign } = open;
    await askUpload(open, `${folder}/new.txt`);
    await boxOf(deck, 'upload new.txt?');
    foreign.delay(5000);
    press(deck, 'tab', 'enter');
    await waitFor(() => expect(deck.screen.getState().transfer).toBeDefined());
    press(deck, 'q');
    await said(deck, 'Uploading is running. ^C stops it.');
    press(deck, key);
    await waitFor(() => expect(deck.screen.getState().transfer).toBeUndefined());
    await said(deck, '0 files uploaded to bazaar/web');
    foreign.delay(0);
  },
);

test('S downloads a folder into the typed folder', async () => {
  const folder = folderWith({});
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'config');
  press(deck, 'S');
  expect(await promptOf(deck, 'Save config/ into folder: ')).toBe('./');
  press(deck, 'ctrl+u');
  type(deck, `${folder}/new`);
  press(deck, 'enter');
  await said(deck, `2 files saved to ${folder}/new.`);
  expect(readFileSync(path.join(folder, 'new/config/app.yaml'), 'utf8')).toContain('port: 8080');
});

test('a typed folder replaces the default, and comes back with the error', async () => {
  const folder = folderWith({ taken: '' });
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'README.md');
  press(deck, 'S');
  await promptOf(deck, 'Save README.md into folder: ');
  type(deck, `${folder}/taken`);
  press(deck, 'enter');
  await waitFor(() =>
    expect(deck.screen.getState().overlay).toMatchObject({
      text: `${folder}/taken`,
      problem: { sentence: expect.stringMatching(/^Can't save README\.md: /) as string },
    }),
  );
});

test('the path of an upload comes back with the error', async () => {
  const folder = folderWith({});
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'README.md');
  press(deck, 'p');
  await promptOf(deck, 'Upload to ');
  type(deck, `${folder}/none`);
  press(deck, 'enter');
  await waitFor(() =>
    expect(deck.screen.getState().overlay).toMatchObject({
      kind: 'prompt',
      text: `${folder}/none`,
      problem: { sentence: expect.stringContaining('none') as string },
    }),
  );
});

test('S on marks asks once about existing local files', async () => {
  const folder = folderWith({ 'README.md': 'mine' });
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'README.md');
  press(deck, 'space');
  goToFile(deck, 'index.html');
  press(deck, 'space', 'S');
  await promptOf(deck, 'Save 2 marked into folder: ');
  press(deck, 'ctrl+u');
  type(deck, folder);
  press(deck, 'enter');
  const question = await boxOf(deck, 'save 2 files?');
  expect(question.lines).toContain('README.md');
  expect(question.options.map(({ label }) => label)).toEqual(['Cancel', 'Skip', 'Replace']);
  press(deck, 'tab', 'enter');
  await said(deck, `1 file saved to ${folder}, 1 left as it was.`);
  expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toBe('mine');
  expect(deck.screen.getState().marks.size).toBe(0);
});

test('a file whose name leads out of the folder is skipped', async () => {
  const folder = folderWith({ 'in/keep': '' });
  await using open = await openDeck({}, (foreign) =>
    foreign.put(foreign.sample, 'web', '../out.txt', 'evil'),
  );
  const { deck } = open;
  goToFile(deck, '../out.txt');
  press(deck, 'S');
  await promptOf(deck, 'Save out.txt');
  press(deck, 'ctrl+u');
  type(deck, `${folder}/in`);
  press(deck, 'enter');
  await said(deck, 'Nothing to save. ../out.txt: no URL leads to its name.');
  expect(() => readFileSync(path.join(folder, 'out.txt'))).toThrow('ENOENT');
});

test('transferLine shows the progress in total and of the current file', () => {
  const progress = {
    files: 12,
    filesDone: 2,
    bytes: 30_000_000,
    bytesDone: 3_000_000,
    current: { path: 'config/app.yaml', bytes: 200, bytesDone: 90 },
  };
  const textOf = (line: ReturnType<typeof transferLine>) => line.map(({ text }) => text).join('');
  const cancel = () => {};
  expect(textOf(transferLine({ verb: 'Uploading', progress, cancel }))).toBe(
    'Uploading 3 of 12, 3.0 MB of 30.0 MB 10%. ^C stops it.  app.yaml 45%',
  );
  const unknown = { ...progress, bytes: undefined, current: undefined };
  expect(textOf(transferLine({ verb: 'Saving', progress: unknown, cancel }))).toBe(
    'Saving 3 of 12, 3.0 MB. ^C stops it.',
  );
});
