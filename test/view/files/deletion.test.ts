import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import type { TrashedFile } from '../../../source/store/drafts/trash.ts';
import { temporaryKept } from '../../support/temporary-state.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { boxOf, goToFile, openUndo, press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { lastBatch } from '../../support/last-batch.ts';
import { boxText } from '../../support/box-text.ts';

function stored({ foreign }: OpenDeck, path: string): string | undefined {
  return foreign.stored(foreign.sample, 'web', path)?.toString();
}

function pendingFiles(deck: Deck, id: string): readonly string[] {
  const files = deck.restarts.state.getState().get(id)?.changes?.files ?? [];
  return files.map(({ path }) => path);
}

test('X asks with Cancel preselected; Enter deletes nothing', async () => {
  await using open = await openDeck();
  goToFile(open.deck, 'config/app.yaml');
  press(open.deck, 'X');
  const question = await boxOf(open.deck, 'delete app.yaml?');
  expect(boxText(question)).toContain('config/app.yaml');
  press(open.deck, 'enter');
  expect(open.deck.screen.getState().overlay).toBeUndefined();
  expect(open.foreign.writes()).toEqual([]);
});

test('a deleted file leaves the tree, starts a countdown, and u restores it', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'config/app.yaml');
  press(deck, 'X');
  await boxOf(deck, 'delete app.yaml?');
  press(deck, 'tab', 'enter');
  await said(deck, 'Deleted config/app.yaml. u undoes this.');
  expect(stored(open, 'config/app.yaml')).toBeUndefined();
  expect(pendingFiles(deck, foreign.sample)).toEqual(['config/app.yaml']);
  await waitFor(() => expect(deck.lists.files.ids()).not.toContain('config/app.yaml'));
  expect(await openUndo(deck)).toEqual(['Deleted app.yaml | bazaar/web config/app.yaml']);
  press(deck, 'enter');
  await said(deck, 'Restored config/app.yaml.');
  expect(stored(open, 'config/app.yaml')).toBe('server:\n  port: 8080\n');
  await waitFor(() => expect(deck.screen.getState().cursors.files.id).toBe('config/app.yaml'));
});

test('a folder is deleted with its files only after its word is typed', async () => {
  await using open = await openDeck();
  const { deck } = open;
  goToFile(deck, 'config');
  press(deck, 'X');
  const question = await boxOf(deck, 'delete 2 files?');
  expect(question.lines).toContain('config/flags.json');
  press(deck, 'tab', 'enter');
  expect(open.foreign.writes()).toEqual([]);
  type(deck, 'delete 2');
  press(deck, 'enter');
  await said(deck, 'Deleted 2 files of web.');
  await waitFor(() => expect(deck.lists.files.ids()).toEqual(['index.html', 'README.md']));
});

test('the question keeps its file while the list changes', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  press(deck, 'X');
  await boxOf(deck, 'delete index.html?');
  foreign.put(foreign.sample, 'web', 'a.txt', 'new');
  await deck.files.list.refresh();
  press(deck, 'tab', 'enter');
  await said(deck, 'Deleted index.html.');
  expect(stored(open, 'a.txt')).toBe('new');
});

test('a file that cannot go to the trash is deleted only after a confirmation', async () => {
  const { trash, ...kept } = temporaryKept();
  const full = { ok: false, sentence: 'The disk is full.' } as const;
  const put = (file: TrashedFile) =>
    file.path === 'index.html' ? Promise.resolve(full) : trash.put(file);
  await using open = await openDeck({}, undefined, {
    kept: { ...kept, trash: { ...trash, put } },
  });
  const { deck } = open;
  goToFile(deck, 'index.html');
  press(deck, 'X');
  await boxOf(deck, 'delete index.html?');
  press(deck, 'tab', 'enter');
  const question = await boxOf(deck, "can't move index.html to the trash");
  expect(question.options.at(-1)).toEqual({ label: 'Delete for good', destroys: true });
  expect(stored(open, 'index.html')).toBeDefined();
  press(deck, 'enter');
  await said(deck, 'index.html was not deleted.');
  press(deck, 'X');
  await boxOf(deck, 'delete index.html?');
  press(deck, 'tab', 'enter');
  await boxOf(deck, "can't move index.html to the trash");
  press(deck, 'tab', 'enter');
  await said(deck, 'Deleted index.html of bazaar/web for good.');
  expect(stored(open, 'index.html')).toBeUndefined();
});

test('only the file that cannot go to the trash is deleted for good', async () => {
  const { trash, ...kept } = temporaryKept();
  const full = { ok: false, sentence: 'The disk is full.' } as const;
  const put = (file: TrashedFile) =>
    file.path === 'config/app.yaml' ? Promise.resolve(full) : trash.put(file);
  await using open = await openDeck({}, undefined, {
    kept: { ...kept, trash: { ...trash, put } },
  });
  const { deck, foreign } = open;
  goToFile(deck, 'config');
  press(deck, 'X');
  await boxOf(deck, 'delete 2 files?');
  press(deck, 'tab');
  type(deck, 'delete 2');
  press(deck, 'enter');
  await boxOf(deck, "can't move app.yaml to the trash");
  expect(stored(open, 'config/app.yaml')).toBeDefined();
  press(deck, 'tab', 'enter');
  await said(deck, 'Deleted 2 files of bazaar/web, 1 for good.');
  const last = (await lastBatch(trash, foreign.sample, 'web'))[0];
  expect(last?.path).toBe('config/flags.json');
});

test('a refused deletion explains why and starts no countdown', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  goToFile(deck, 'index.html');
  press(deck, 'X');
  await boxOf(deck, 'delete index.html?');
  foreign.failNext(1, { status: 503, method: 'DELETE' });
  press(deck, 'tab', 'enter');
  await said(deck, 'index.html was not deleted.');
  expect(deck.screen.getState().message?.tone).toBe('bad');
  expect(pendingFiles(deck, foreign.sample)).toEqual([]);
});

test('u reports an empty trash', async () => {
  await using open = await openDeck();
  goToFile(open.deck, 'index.html');
  press(open.deck, 'u');
  await said(open.deck, 'Nothing to undo.');
});

/** Marks all files of a folder, deletes them, and waits for the list. */
async function deleteFolder(open: OpenDeck, folder: string, count: number): Promise<void> {
  const { deck } = open;
  goToFile(deck, folder);
  press(deck, 'X');
  const question = await boxOf(deck, `delete ${count} files?`);
  expect(question.lines.at(-1)).toBe('u undoes this.');
  press(deck, 'tab');
  type(deck, `delete ${count}`);
  press(deck, 'enter');
  await said(deck, `Deleted ${count} files of web. u undoes this.`);
  await waitFor(() => expect(deck.lists.files.ids()).not.toContain(folder));
}

test('u brings a whole batch back with two keys, in one request for the list', async () => {
  await using open = await openDeck({}, (foreign) => {
    for (let at = 0; at < 100; at += 1) {
      foreign.put(foreign.sample, 'web', `logs/${at}.txt`, `text ${at}`);
    }
  });
  const { deck, foreign } = open;
  await deleteFolder(open, 'logs', 100);
  const before = foreign.requests.length;
  const [newest] = await openUndo(deck);
  expect(newest).toMatch(/^Deleted 100 files \| bazaar\/web logs\/\d+\.txt, /);
  press(deck, 'enter');
  await said(deck, 'Restored 100 files.');
  for (let at = 0; at < 100; at += 1) expect(stored(open, `logs/${at}.txt`)).toBe(`text ${at}`);
  const requests = foreign.requests.slice(before);
  const lists = requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/files'));
  expect(lists.length).toBeLessThan(10);
});

test('u names the files of a batch that exist again before it replaces them', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const flags = stored(open, 'config/flags.json');
  await deleteFolder(open, 'config', 2);
  foreign.put(foreign.sample, 'web', 'config/app.yaml', 'theirs');
  await openUndo(deck);
  press(deck, 'enter');
  const question = await boxOf(deck, 'replace app.yaml?');
  expect(boxText(question)).toContain('config/app.yaml exists again or changed since');
  expect(stored(open, 'config/flags.json')).toBe(flags);
  press(deck, 'enter');
  await said(
    deck,
    'Restored config/flags.json. config/app.yaml exists again or changed since, and was not replaced.',
  );
  expect(stored(open, 'config/app.yaml')).toBe('theirs');
  await openUndo(deck);
  press(deck, 'enter');
  const again = await boxOf(deck, 'replace app.yaml?');
  expect(again.lines[0]).toContain('config/app.yaml already exists.');
  press(deck, 'tab', 'enter');
  await said(deck, 'Restored config/app.yaml.');
  expect(stored(open, 'config/app.yaml')).toBe('server:\n  port: 8080\n');
  await openUndo(deck);
  press(deck, 'enter');
  await waitFor(() => expect(stored(open, 'config/app.yaml')).toBe('theirs'));
});

test('u reverts a move, and brings back all files that it replaced', async () => {
  await using open = await openDeck({}, (foreign) => {
    foreign.put(foreign.sample, 'web', 'etc/app.yaml', 'old app');
    foreign.put(foreign.sample, 'web', 'etc/flags.json', 'old flags');
  });
  const { deck } = open;
  goToFile(deck, 'config/app.yaml');
  press(deck, 'space', 'space', 'm', 'ctrl+u');
  type(deck, 'etc');
  press(deck, 'enter');
  await boxOf(deck, 'move 2 files?');
  press(deck, 'tab', 'enter');
  await said(deck, 'Moved 2 files to etc.');
  expect((await openUndo(deck))[0]).toMatch(/^Moved 2 files \| .* to etc\/flags\.json/);
  press(deck, 'enter');
  await said(deck, 'Restored 4 files.');
  expect(stored(open, 'config/app.yaml')).toBe('server:\n  port: 8080\n');
  expect(stored(open, 'etc/app.yaml')).toBe('old app');
  expect(stored(open, 'etc/flags.json')).toBe('old flags');
});
