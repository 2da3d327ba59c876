import { expect, test } from 'vitest';
import type { Console } from '../../../source/store/deck/deck.ts';
import { listIds } from '../../../source/store/deck/rows.ts';
import type { TrashedFile } from '../../../source/store/drafts/trash.ts';
import { temporaryKept } from '../../support/temporary-state.ts';
import { openConsole, type OpenConsole } from '../open-deck.ts';
import { boxOf, goToFile, press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

function stored({ foreign }: OpenConsole, path: string): string | undefined {
  return foreign.stored(foreign.sample, 'web', path)?.toString();
}

function pendingFiles(console: Console, id: string): readonly string[] {
  const files = console.restarts.state.getState().get(id)?.changes?.files ?? [];
  return files.map(({ path }) => path);
}

test('X asks on Cancel, and Enter there deletes nothing', async () => {
  await using open = await openConsole();
  goToFile(open.console, 'config/app.yaml');
  press(open.console, 'X');
  const question = await boxOf(open.console, 'delete app.yaml?');
  expect(question.lines.join('\n')).toContain('config/app.yaml');
  press(open.console, 'enter');
  expect(open.console.screen.getState().overlay).toBeUndefined();
  expect(open.foreign.writes()).toEqual([]);
});

test('a deleted file goes from the tree, counts a restart, and u puts it back as it was', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  goToFile(console, 'config/app.yaml');
  press(console, 'X');
  await boxOf(console, 'delete app.yaml?');
  press(console, 'tab', 'enter');
  await said(console, 'Deleted config/app.yaml. u puts the last one back.');
  expect(stored(open, 'config/app.yaml')).toBeUndefined();
  expect(pendingFiles(console, foreign.sample)).toEqual(['config/app.yaml']);
  await waitFor(() => expect(listIds(console, 'files')).not.toContain('config/app.yaml'));
  press(console, 'u');
  const question = await boxOf(console, 'put app.yaml back?');
  expect(question.lines[1]).toContain('It was deleted');
  press(console, 'tab', 'enter');
  await said(console, 'Put config/app.yaml back.');
  expect(stored(open, 'config/app.yaml')).toBe('server:\n  port: 8080\n');
  await waitFor(() => expect(console.screen.getState().cursors.files.id).toBe('config/app.yaml'));
});

test('a folder is deleted with all below it only after its word is typed', async () => {
  await using open = await openConsole();
  const { console } = open;
  goToFile(console, 'config');
  press(console, 'X');
  const question = await boxOf(console, 'delete 2 files?');
  expect(question.lines).toContain('config/flags.json');
  press(console, 'tab', 'enter');
  expect(open.foreign.writes()).toEqual([]);
  type(console, 'delete 2');
  press(console, 'enter');
  await said(console, 'Deleted 2 files of web.');
  await waitFor(() => expect(listIds(console, 'files')).toEqual(['index.html', 'README.md']));
});

test('the file that is asked about stays the same while the list changes', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  goToFile(console, 'index.html');
  press(console, 'X');
  await boxOf(console, 'delete index.html?');
  foreign.put(foreign.sample, 'web', 'a.txt', 'new');
  await console.files.list.refresh();
  press(console, 'tab', 'enter');
  await said(console, 'Deleted index.html.');
  expect(stored(open, 'a.txt')).toBe('new');
});

test('a file that cannot be kept is deleted only after the box said so', async () => {
  const { trash, ...kept } = temporaryKept();
  const full = { ok: false, sentence: 'The disk is full.' } as const;
  const put = (file: TrashedFile) =>
    file.path === 'index.html' ? Promise.resolve(full) : trash.put(file);
  await using open = await openConsole({}, undefined, {
    kept: { ...kept, trash: { ...trash, put } },
  });
  const { console } = open;
  goToFile(console, 'index.html');
  press(console, 'X');
  await boxOf(console, 'delete index.html?');
  press(console, 'tab', 'enter');
  const question = await boxOf(console, 'index.html cannot be kept');
  expect(question.options.at(-1)).toEqual({ label: 'Delete for good', destroys: true });
  expect(stored(open, 'index.html')).toBeDefined();
  press(console, 'enter');
  await said(console, 'index.html is not deleted.');
  press(console, 'X');
  await boxOf(console, 'delete index.html?');
  press(console, 'tab', 'enter');
  await boxOf(console, 'index.html cannot be kept');
  press(console, 'tab', 'enter');
  await said(console, 'Deleted index.html of bazaar/web for good.');
  expect(stored(open, 'index.html')).toBeUndefined();
});

test('of several, only the one that cannot be kept is deleted for good', async () => {
  const { trash, ...kept } = temporaryKept();
  const full = { ok: false, sentence: 'The disk is full.' } as const;
  const put = (file: TrashedFile) =>
    file.path === 'config/app.yaml' ? Promise.resolve(full) : trash.put(file);
  await using open = await openConsole({}, undefined, {
    kept: { ...kept, trash: { ...trash, put } },
  });
  const { console, foreign } = open;
  goToFile(console, 'config');
  press(console, 'X');
  await boxOf(console, 'delete 2 files?');
  press(console, 'tab');
  type(console, 'delete 2');
  press(console, 'enter');
  await boxOf(console, 'app.yaml cannot be kept');
  expect(stored(open, 'config/app.yaml')).toBeDefined();
  press(console, 'tab', 'enter');
  await said(console, 'Deleted 2 files of bazaar/web, 1 for good.');
  const last = await trash.last(foreign.sample, 'web');
  expect(last?.path).toBe('config/flags.json');
});

test('a refused deletion says why, and no restart counts', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  goToFile(console, 'index.html');
  press(console, 'X');
  await boxOf(console, 'delete index.html?');
  foreign.failNext(1, { status: 503, method: 'DELETE' });
  press(console, 'tab', 'enter');
  await said(console, 'index.html was not deleted.');
  expect(console.screen.getState().message?.tone).toBe('bad');
  expect(pendingFiles(console, foreign.sample)).toEqual([]);
});

test('where nothing was deleted, u says so', async () => {
  await using open = await openConsole();
  goToFile(open.console, 'index.html');
  press(open.console, 'u');
  await said(open.console, 'No deleted or replaced file of bazaar/web is kept.');
});
