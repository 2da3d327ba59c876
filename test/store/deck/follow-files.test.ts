import { expect, onTestFinished, test } from 'vitest';
import { summariseSdl } from '../../../source/contract/sdl/reading.ts';
import { createFileWork } from '../../../source/store/deck/file-work.ts';
import { followFiles } from '../../../source/store/deck/follow-files.ts';
import { createScreenStore } from '../../../source/store/deck/screen/screen.ts';
import { createDrafts } from '../../../source/store/drafts/drafts.ts';
import { createEditor } from '../../../source/store/editor/editor.ts';
import { saveSentence } from '../../../source/store/editor/save-sentence.ts';
import { createFiles } from '../../../source/store/files/files.ts';
import { MemoryFiles, type ListedFields } from '../../servers/memory-files.ts';
import { createTestClock } from '../../support/clock.ts';
import { temporaryKept } from '../../support/temporary-state.ts';
import { look } from '../editor/open-editor.ts';
import { failure } from '../requests.ts';

const path = 'app.yaml';
const opened = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join('');
const changed = opened.replace('line 2\n', 'line 2\nnew\n').replace('line 30\n', '');
const web = { deploymentId: 'd', service: 'web' };
const place = { ...web, path };

/** Opens a file of a service in memory, with the list of files that its changes are seen in. */
async function open({
  listed = 'both',
  content = opened,
  service = new MemoryFiles(listed),
}: {
  readonly listed?: ListedFields;
  readonly content?: string;
  readonly service?: MemoryFiles;
} = {}) {
  if (service.textOf(path) === undefined) service.put(path, content);
  const clock = createTestClock();
  const kept = temporaryKept();
  const drafts = createDrafts({ keeper: kept.drafts, clock });
  const files = createFiles({ client: service, clock, drafts });
  const screen = createScreenStore();
  const said: string[] = [];
  const writes = {
    async intend() {},
    notChanged() {},
    operation: () => () => {},
    async fileChanged() {},
    async intendUpload() {
      return { async arrived() {}, refused() {} };
    },
  };
  const { trash } = kept;
  const editor = createEditor({
    client: service,
    create: async () => failure('local'),
    readSdl: async () => summariseSdl,
    clock,
    drafts,
    locks: kept.locks,
    onTakenOver() {},
    trash,
    writes,
    onSaved: (file) => files.noteSaved(file),
    onOutcome: (_, outcome) =>
      said.push(saveSentence(outcome, { path, host: 'h', time: 't', restart: '' }).text),
  });
  const { operations } = createFileWork({
    client: service,
    clock,
    trash,
    local: await kept.local(),
    writes,
    drafts: { ...drafts, discard: async () => ({ names: [], failure: undefined }) },
    editor,
    files,
  });
  onTestFinished(followFiles({ clock, screen, files, editor }));
  files.choose({ deploymentId: 'd', service: 'web' });
  await clock.advance(0);
  screen.view.openEditor();
  const text = () => editor.state.getState().document?.text.text();
  return {
    service,
    clock,
    drafts,
    files,
    screen,
    editor,
    operations,
    said,
    text,
    saving: () => editor.state.getState().file?.saving.state.getState(),
    async edit() {
      await editor.open(place, look);
    },
    /** Fetches the list, as the console does every ten seconds. */
    async list(seconds = 10) {
      await clock.advance(seconds * 1000);
      await files.list.refresh();
      await clock.advance(1);
    },
    gets: () => service.requests.filter((request) => request.startsWith('get')).length,
  };
}

test.each(['both', 'size', 'time'] as const)(
  'an unedited file follows the service where the list tells %s, and says so once',
  async (listed) => {
    const world = await open({ listed });
    await world.edit();
    world.editor.act((text) => text.goToLine(20));
    world.service.put(path, changed);
    await world.list();
    await world.list();
    expect(world.text()).toBe(changed);
    expect(world.editor.act((text) => text.cursorPosition().line)).toBe(21);
    expect(world.editor.state.getState().unsaved).toBe(false);
    expect(world.said).toEqual(['app.yaml changed on the service and was reloaded.']);
    expect(world.drafts.state.getState().drafts.size).toBe(0);
    expect(world.gets()).toBe(2);
    world.editor.act((text) => text.run('undo'));
    expect(world.text()).toBe(opened);
  },
);

test('a reload keeps the selection, the scroll and the draft of an earlier text', async () => {
  const world = await open();
  await world.edit();
  world.editor.act((text) => {
    text.resize({ rows: 10, columns: 40 });
    text.goToLine(25);
    const { from } = text.state.doc.line(20);
    text.select(from + 4, from);
  });
  const topLine = () => world.editor.act((text) => text.viewModel().rows[0]?.runs[0]?.text);
  const top = topLine();
  world.service.put(path, changed);
  await world.list();
  expect(topLine()).toBe(top);
  expect(world.editor.act((text) => text.selectionLength())).toBe(4);
  expect(world.editor.act((text) => text.cursorPosition())).toEqual({ line: 21, column: 5 });
});

test('a change of the time alone says nothing', async () => {
  const world = await open();
  await world.edit();
  world.service.put(path, opened);
  await world.list();
  await world.list();
  expect([world.text(), world.said, world.gets()]).toEqual([opened, [], 2]);
});

test('a change that the list does not show is found when the file is opened again', async () => {
  const world = await open();
  await world.edit();
  world.service.put(path, opened.replace('line 7', 'LINE 7'), world.service.timeOf(path));
  await world.list();
  expect(world.text()).toBe(opened);
  await world.edit();
  await world.clock.advance(1);
  expect(world.text()).toContain('LINE 7');
});

test('an edited file keeps its text and says that the file changed, until a save settles it', async () => {
  const world = await open();
  await world.edit();
  world.editor.act((text) => text.insert('mine '));
  world.service.put(path, changed);
  await world.list();
  await world.list();
  expect(world.text()).toBe(`mine ${opened}`);
  expect(world.editor.state.getState().document?.remoteChange()).toBe('changed');
  expect(world.said).toEqual(['app.yaml changed on the service. F7 compares.']);
  await world.editor.save();
  expect(world.saving()?.phase.kind).toBe('conflict');
  expect(world.service.textOf(path)).toBe(changed);
  await world.editor.choose('merge');
  expect(world.editor.state.getState().document?.remoteChange()).toBeUndefined();
});

test('an edited file whose change was taken back is not changed any more', async () => {
  const world = await open();
  await world.edit();
  world.editor.act((text) => text.insert('mine '));
  world.service.put(path, changed);
  await world.list();
  world.service.put(path, opened);
  await world.list();
  expect(world.editor.state.getState().document?.remoteChange()).toBeUndefined();
  await world.editor.save();
  expect(world.service.textOf(path)).toBe(`mine ${opened}`);
});

test('a file that somebody else made equal to the typed text is saved', async () => {
  const world = await open();
  await world.edit();
  world.editor.act((text) => text.insert('mine '));
  world.service.put(path, `mine ${opened}`);
  await world.list();
  expect(world.editor.state.getState().unsaved).toBe(false);
  expect(world.said).toEqual([]);
  await world.drafts.flush();
  expect(world.drafts.state.getState().drafts.size).toBe(0);
});

test('a deleted or renamed file stays readable, and a save asks before it creates it', async () => {
  const world = await open();
  await world.edit();
  world.service.remove(path);
  await world.list();
  await world.list();
  expect(world.text()).toBe(opened);
  expect(world.editor.state.getState().document?.remoteChange()).toBe('deleted');
  expect(world.said).toEqual([
    'app.yaml was deleted on the service. Its text stays here; ^S asks what to do.',
  ]);
  await world.editor.save();
  expect(world.saving()?.phase.kind).toBe('offered');
  expect(world.service.textOf(path)).toBeUndefined();
  await world.editor.choose('keep editing');
  world.service.put(path, opened);
  await world.list();
  expect(world.editor.state.getState().document?.remoteChange()).toBeUndefined();
});

test('a file that became binary stays as it was, and is not overwritten', async () => {
  const world = await open();
  await world.edit();
  world.service.put(path, Uint8Array.of(0, 255, 1));
  await world.list();
  expect(world.text()).toBe(opened);
  expect(world.said).toEqual([
    "app.yaml changed on the service and can't be edited any more. Its text stays here.",
  ]);
  await world.editor.save();
  expect(world.saving()?.phase.kind).toBe('conflict');
});

test('a file that can not be read is asked for every half minute, and the text stays', async () => {
  const world = await open();
  await world.edit();
  world.service.put(path, changed);
  await world.clock.advance(10_000);
  const listing = world.files.list.refresh();
  world.service.fails = failure('forbidden');
  await listing;
  await world.clock.advance(1);
  expect(world.gets()).toBe(2);
  world.service.fails = undefined;
  await world.list();
  expect([world.gets(), world.text()]).toEqual([2, opened]);
  await world.list(20);
  expect([world.gets(), world.text()]).toEqual([3, changed]);
});

test('the own save is no change of somebody else', async () => {
  const world = await open();
  await world.edit();
  world.editor.act((text) => text.insert('mine '));
  await world.editor.save();
  await world.list();
  await world.list();
  expect(world.text()).toBe(`mine ${opened}`);
  expect(world.said).toHaveLength(1);
  expect(world.said[0]).toMatch(/^Saved/);
});

test('an answer from before a save does not bring the old text back', async () => {
  const world = await open();
  await world.edit();
  const answer = Promise.withResolvers<void>();
  world.service.put(path, opened);
  world.service.delay = answer.promise;
  await world.list();
  world.service.delay = Promise.resolve();
  world.editor.act((text) => text.insert('mine '));
  await world.editor.save();
  answer.resolve();
  await world.clock.advance(1);
  expect(world.text()).toBe(`mine ${opened}`);
  expect(world.said).toHaveLength(1);
});

test('a list that never agrees with the content is no change, and has the file fetched less often', async () => {
  const world = await open({ listed: 'unlike' });
  await world.edit();
  world.editor.act((text) => text.insert('mine '));
  for (const _ of Array.from({ length: 12 })) await world.list();
  expect([world.text(), world.said, world.gets()]).toEqual([`mine ${opened}`, [], 5]);
  expect(world.editor.state.getState().document?.remoteChange()).toBeUndefined();
  world.service.put(path, changed);
  await world.list(30);
  expect(world.said).toEqual(['app.yaml changed on the service. F7 compares.']);
});

test('a large file whose list never agrees with it is fetched every ten minutes', async () => {
  const world = await open({ listed: 'unlike', content: 'x'.repeat(64 * 1024) });
  await world.edit();
  for (const _ of Array.from({ length: 12 })) await world.list(60);
  expect([world.said, world.gets()]).toEqual([[], 3]);
});

test('a list that shows a save late is no change of somebody else', async () => {
  const world = await open();
  await world.edit();
  const late = world.service.timeOf(path);
  world.editor.act((text) => text.insert('mine '));
  await world.editor.save();
  const time = world.service.timeOf(path);
  world.service.put(path, `mine ${opened}`, late);
  await world.list();
  world.service.put(path, `mine ${opened}`, time);
  await world.list();
  expect(world.text()).toBe(`mine ${opened}`);
  expect(world.said).toHaveLength(1);
});

/** Others who change the open file, and whether they change its content or remove it. */
const others: readonly {
  readonly who: string;
  readonly act: (world: Awaited<ReturnType<typeof open>>) => Promise<unknown>;
  readonly does: 'changes' | 'removes' | 'keeps';
}[] = [
  {
    who: 'a rename from another console',
    does: 'removes',
    async act({ service }) {
      const { operations } = await open({ service });
      expect(await operations.move(place, 'b.yaml')).toMatchObject({ ok: true });
    },
  },
  {
    who: 'an upload, or a sync',
    does: 'changes',
    act: ({ service }) =>
      service.upload('d', 'web', [{ path, source: { bytes: Buffer.from(changed) } }]),
  },
  {
    who: '`files put` in a shell of this machine',
    does: 'changes',
    act: ({ service }) => service.update('d', 'web', path, changed),
  },
  {
    who: 'a sync that deletes',
    does: 'removes',
    act: ({ service }) => service.delete('d', 'web', path),
  },
  {
    who: 'a restart that writes the same content',
    does: 'keeps',
    act: async ({ service }) => service.put(path, opened),
  },
  {
    who: 'a restart that writes another content',
    does: 'changes',
    act: async ({ service }) => service.put(path, changed),
  },
  {
    who: 'another console',
    does: 'changes',
    async act({ service }) {
      const second = await open({ service });
      await second.edit();
      second.editor.act((text) => text.replaceText(changed));
      await second.editor.save();
    },
  },
];

const endings = {
  changes: { remote: 'changed', view: changed },
  removes: { remote: 'deleted', view: opened },
  keeps: { remote: undefined, view: opened },
} as const;

test.each(others)('$who $does the open file', async ({ act, does }) => {
  const service = new MemoryFiles();
  const [unedited, edited, viewer] = [
    await open({ service }),
    await open({ service }),
    await open({ service }),
  ];
  await unedited.edit();
  await edited.edit();
  edited.editor.act((text) => text.insert('mine '));
  viewer.screen.view.open({ kind: 'file' });
  await viewer.files.open(path);
  await act(edited);
  const sent = service.requests.length;
  for (const world of [unedited, edited, viewer]) {
    await world.list();
    await world.list();
  }
  const { remote, view } = endings[does];
  expect(unedited.text()).toBe(view);
  expect(unedited.said).toHaveLength(does === 'keeps' ? 0 : 1);
  expect(edited.text()).toBe(`mine ${opened}`);
  expect(edited.editor.state.getState().document?.remoteChange()).toBe(remote);
  expect(edited.said).toHaveLength(does === 'keeps' ? 0 : 1);
  expect(viewer.files.state.getState().opened?.body?.text).toBe(view);
  // Following only reads, so it needs no permission to write.
  expect(service.requests.slice(sent).filter((request) => !/^(?:list|get)/.test(request))).toEqual(
    [],
  );
  const kept = service.textOf(path);
  await edited.editor.save();
  if (does !== 'keeps') expect(service.textOf(path)).toBe(kept);
});

const moved = { ...place, path: 'b.yaml' };

test.each([
  ['unedited', '', ''],
  ['edited', 'mine ', ''],
  ['edited before and after', 'mine ', 'still '],
])('an %s file goes on at the path that this console moves it to', async (_, before, after) => {
  const world = await open();
  await world.edit();
  if (before !== '') world.editor.act((text) => text.insert(before));
  const moving = world.operations.move(place, 'b.yaml');
  await expect.poll(() => world.editor.state.getState().document?.title).toBe('b.yaml');
  if (after !== '') world.editor.act((text) => text.insert(after));
  expect(await moving).toMatchObject({ ok: true });
  await world.list();
  const typed = `${before}${after}${opened}`;
  expect([world.text(), world.said]).toEqual([typed, []]);
  expect(world.editor.state.getState().document?.remoteChange()).toBeUndefined();
  await world.drafts.flush();
  await expect.poll(() => world.drafts.read(place)).toBeUndefined();
  if (before !== '') expect(await world.drafts.read(moved)).toMatchObject({ text: typed });
  world.editor.act((text) => text.insert('x'));
  await world.editor.save();
  expect(world.service.textOf('b.yaml')).toBe(`${before}${after}x${opened}`);
  expect(world.service.textOf(path)).toBeUndefined();
});

test('a move that is undone takes the open file back, and the viewer goes along', async () => {
  const world = await open();
  await world.edit();
  await world.files.open(path);
  await world.operations.move(place, 'b.yaml');
  expect(world.files.state.getState().opened?.path).toBe('b.yaml');
  expect(await world.operations.putBack(web)).toMatchObject({ ok: true });
  expect(world.editor.state.getState().document?.title).toBe(path);
  expect(world.files.state.getState().opened?.path).toBe(path);
});

test('a move to a path with a draft of its own leaves the open file where it is', async () => {
  const world = await open();
  world.drafts.typed(moved, () => ({ text: 'other', base: undefined }));
  await world.drafts.flush();
  await world.edit();
  world.editor.act((text) => text.insert('mine '));
  await world.operations.move(place, 'b.yaml');
  await world.list();
  expect(world.editor.state.getState().document?.title).toBe(path);
  await world.drafts.flush();
  expect(await world.drafts.read(place)).toMatchObject({ text: `mine ${opened}` });
  expect(await world.drafts.read(moved)).toMatchObject({ text: 'other' });
});

/** A service whose answers show a file as it was for some time after it accepted a save. */
class LateFiles extends MemoryFiles {
  /** Answers that fetches get instead of the stored file. */
  earlier: Awaited<ReturnType<MemoryFiles['get']>> | undefined;

  override async get(...asked: Parameters<MemoryFiles['get']>) {
    const answer = await super.get(...asked);
    return this.earlier ?? answer;
  }
}

test.each(['both', 'none'] as const)(
  'an answer with the text from before a save does not bring it back, where the list tells %s',
  async (listed) => {
    const service = new LateFiles(listed);
    const world = await open({ service });
    await world.edit();
    const before = await service.get('d', 'web', path);
    world.editor.act((text) => text.insert('mine '));
    await world.editor.save();
    const saved = `mine ${opened}`;
    service.earlier = before;
    await world.list();
    await world.edit();
    await world.list(30);
    await world.list(30);
    expect([world.text(), world.said.length]).toEqual([saved, 1]);
    // The earlier text is, after the save was shown, a change of somebody else.
    service.earlier = undefined;
    await world.list(30);
    expect([world.text(), world.said.length]).toEqual([saved, 1]);
    service.put(path, opened);
    await world.list(30);
    expect([world.text(), world.said.length]).toEqual([opened, 2]);
  },
);

test('another text than the one before a save is shown, and so is the one that this console restores', async () => {
  const world = await open({ listed: 'none' });
  const type = (typed: string) => {
    world.editor.act((text) => text.insert(typed));
    return world.editor.save();
  };
  await world.edit();
  await type('mine ');
  world.service.put(path, changed);
  await world.list(30);
  expect(world.text()).toBe(changed);
  await type('again ');
  expect(await world.operations.putBack(web)).toMatchObject({ ok: true });
  await world.list(30);
  expect(world.text()).toBe(changed);
});

test('a new file that the service does not show yet is not said to be deleted', async () => {
  const service = new LateFiles();
  const world = await open({ service });
  await world.editor.openNew(moved, look);
  world.editor.act((text) => text.insert('new'));
  await world.editor.save();
  service.earlier = failure('not-found');
  await world.list();
  await world.list(30);
  expect(world.editor.state.getState().document?.remoteChange()).toBeUndefined();
  service.earlier = undefined;
  await world.list(30);
  service.remove('b.yaml');
  await world.list(30);
  expect(world.editor.state.getState().document?.remoteChange()).toBe('deleted');
});

test('a read-only connection follows the file, refuses the save and keeps the draft', async () => {
  class ReadOnlyFiles extends MemoryFiles {
    override async update() {
      return failure('read-only');
    }
  }
  const world = await open({ service: new ReadOnlyFiles() });
  await world.edit();
  world.service.put(path, changed);
  await world.list();
  expect(world.text()).toBe(changed);
  world.editor.act((text) => text.insert('mine '));
  await world.editor.save();
  expect(world.service.textOf(path)).toBe(changed);
  world.service.put(path, opened);
  await world.list();
  expect(world.text()).toBe(`mine ${changed}`);
  expect(world.editor.state.getState().document?.remoteChange()).toBe('changed');
  expect(world.service.requests.filter((request) => !/^(?:list|get)/.test(request))).toEqual([]);
});

test('a list without sizes and times has small files fetched every half minute while they are shown', async () => {
  const world = await open({ listed: 'none' });
  await world.edit();
  world.service.put(path, changed);
  await world.list();
  expect(world.text()).toBe(opened);
  await world.list(20);
  expect(world.text()).toBe(changed);
  world.screen.view.toggleLog();
  world.service.put(path, opened);
  await world.list(60);
  expect([world.text(), world.gets()]).toEqual([changed, 2]);
});

test('a list without sizes and times has no large file fetched', async () => {
  const large = 'x'.repeat(64 * 1024);
  const world = await open({ listed: 'none', content: large });
  await world.edit();
  world.service.put(path, `${large}y`);
  await world.list(60);
  expect([world.text(), world.gets()]).toEqual([large, 1]);
  world.editor.act((text) => text.insert('mine'));
  await world.editor.save();
  expect(world.saving()?.phase.kind).toBe('conflict');
});

test('a service that is away and comes back with another file is followed then', async () => {
  const world = await open();
  await world.edit();
  world.service.fails = failure('refused');
  world.service.put(path, changed);
  await world.list(60);
  expect([world.text(), world.gets()]).toEqual([opened, 1]);
  world.service.fails = undefined;
  await world.list();
  expect(world.text()).toBe(changed);
});

test('a resumed draft says from the start that the file changed', async () => {
  const world = await open();
  await world.edit();
  world.editor.act((text) => text.insert('mine '));
  world.editor.close();
  await world.drafts.flush();
  world.service.put(path, changed);
  await world.edit();
  expect(world.text()).toBe(`mine ${opened}`);
  expect(world.editor.state.getState().document?.remoteChange()).toBe('changed');
  await world.list();
  expect(world.said).toEqual([]);
});

test('the viewer follows the file, and keeps its text when the file is gone or the service away', async () => {
  const world = await open();
  world.screen.view.open({ kind: 'file' });
  await world.files.open(path);
  const body = () => world.files.state.getState().opened?.body?.text;
  world.service.put(path, changed);
  await world.list();
  expect(body()).toBe(changed);
  world.service.put(path, opened);
  await world.clock.advance(10_000);
  const listing = world.files.list.refresh();
  world.service.fails = failure('refused');
  await listing;
  await world.clock.advance(1);
  expect(world.files.state.getState().opened).toMatchObject({ error: undefined });
  expect(body()).toBe(changed);
  world.service.fails = undefined;
  world.service.remove(path);
  await world.list(60);
  expect(body()).toBe(changed);
  expect(world.files.state.getState().opened?.error?.code).toBe('not-found');
});
