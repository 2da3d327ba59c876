import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { boxOf, goToFile, press, promptOf, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

function stored({ foreign }: OpenDeck, path: string): string | undefined {
  return foreign.stored(foreign.sample, 'web', path)?.toString();
}

async function inEditor(deck: Deck): Promise<void> {
  await waitFor(() => {
    expect(deck.screen.getState().main.kind).toBe('editor');
    expect(deck.editor.state.getState().document).toBeDefined();
  });
}

/** Enters a path after `a`, and waits for the editor. */
async function openNew(deck: Deck, path: string): Promise<void> {
  press(deck, 'a');
  await promptOf(deck, 'New file in bazaar/web: ');
  press(deck, 'ctrl+u');
  type(deck, path);
  press(deck, 'enter');
  await inEditor(deck);
}

async function expectCursor({ deck }: OpenDeck, path: string): Promise<void> {
  await waitFor(() => {
    expect(deck.lists.files.ids()).toContain(path);
    expect(deck.screen.getState().cursors.files.id).toBe(path);
  });
}

test("a asks for a path in the cursor's folder, and the first ^S creates the file", async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'config/app.yaml');
  press(deck, 'a');
  expect(await promptOf(deck, 'New file in bazaar/web: ')).toBe('config/');
  type(deck, 'new/x.txt');
  press(deck, 'enter');
  await inEditor(deck);
  expect(deck.editor.state.getState().file).toMatchObject({ title: 'config/new/x.txt' });
  expect(foreign.writes()).toEqual([]);
  expect(deck.restarts.state.getState().size).toBe(0);
  type(deck, 'hello');
  press(deck, 'ctrl+s');
  await said(deck, 'Saved config/new/x.txt');
  expect(stored(open, 'config/new/x.txt')).toBe('hello');
  press(deck, 'ctrl+q');
  await expectCursor(open, 'config/new/x.txt');
});

test('^S on the untouched text creates an empty file', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'index.html');
  await openNew(deck, 'empty.txt');
  press(deck, 'ctrl+s');
  await said(deck, 'Saved empty.txt');
  expect(stored(open, 'empty.txt')).toBe('');
});

test('leaving a new file without typing leaves nothing behind', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  await openNew(deck, 'z.txt');
  press(deck, 'ctrl+q');
  await said(deck, 'z.txt was not created.');
  await deck.drafts.flush();
  expect(deck.drafts.state.getState().drafts.size).toBe(0);
  expect(deck.lists.files.ids()).not.toContain('z.txt');
  expect(foreign.writes()).toEqual([]);
});

test('a new file with typed text stays as a draft in the tree, and e resumes it', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  press(deck, '2', '/');
  type(deck, 'index');
  press(deck, 'enter');
  await openNew(deck, 'notes/z.txt');
  type(deck, 'text');
  press(deck, 'ctrl+q');
  await said(deck, 'notes/z.txt is not created. Draft kept; e opens it.');
  await expectCursor(open, 'notes/z.txt');
  expect(deck.screen.getState().filters.files).toBe('');
  await deck.files.list.refresh();
  await expectCursor(open, 'notes/z.txt');
  press(deck, 'enter');
  await inEditor(deck);
  expect(deck.editor.state.getState().file?.text.text()).toBe('text');
  expect(foreign.writes()).toEqual([]);
  press(deck, 'ctrl+s');
  await said(deck, 'Saved notes/z.txt');
  await waitFor(() => expect(deck.drafts.state.getState().drafts.size).toBe(0));
});

test('commands on a file that only has a draft say what is possible', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  await openNew(deck, 'z.txt');
  type(deck, 'text');
  press(deck, 'ctrl+q');
  await expectCursor(open, 'z.txt');
  for (const key of ['X', 'm', 'A', 'S', 'D']) {
    deck.messages.say('');
    press(deck, key);
    await said(deck, 'z.txt is not on the service yet. e opens its draft.');
    expect(deck.screen.getState().overlay).toBeUndefined();
  }
  expect(foreign.writes()).toEqual([]);
});

test.each([
  ['README.md', 'README.md already exists. e edits it.'],
  ['config', 'config is a folder. Nothing was sent. Choose another name.'],
  ['index.html/x', 'index.html is a file. Nothing was sent. Choose another name.'],
  ['a//b', '"a//b" is not a valid path.'],
])('the path %s opens nothing', async (path, sentence) => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  press(deck, 'a');
  await promptOf(deck, 'New file');
  type(deck, path);
  press(deck, 'enter');
  await said(deck, sentence);
  expect(deck.editor.state.getState().document).toBeUndefined();
  expect(foreign.writes()).toEqual([]);
});

test('a file that the list does not show yet is not opened as new', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  foreign.put(foreign.sample, 'web', 'theirs.txt', 'theirs');
  press(deck, 'a');
  await promptOf(deck, 'New file');
  type(deck, 'theirs.txt');
  press(deck, 'enter');
  await said(deck, 'theirs.txt already exists. e edits it.');
  expect(deck.screen.getState().main.kind).not.toBe('editor');
});

test('a file created by others meanwhile opens the conflict box', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  await openNew(deck, 'z.txt');
  type(deck, 'mine');
  foreign.put(foreign.sample, 'web', 'z.txt', 'theirs');
  press(deck, 'ctrl+s');
  const question = await boxOf(deck, 'z.txt was created on the service');
  expect(question.options[0].label).toBe('Keep editing');
  expect(stored(open, 'z.txt')).toBe('theirs');
});

test('a first save without an answer is not called uncreated', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  await openNew(deck, 'z.txt');
  type(deck, 'mine');
  foreign.failNext(1, { status: 504, method: 'PUT' });
  press(deck, 'ctrl+s');
  await said(deck, 'z.txt may not have been saved. Draft kept; ^S retries.');
  press(deck, 'ctrl+q');
  await said(deck, 'z.txt may not have been saved. Draft kept; e opens it.');
});
