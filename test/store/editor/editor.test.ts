import { expect, test, vi } from 'vitest';
import { look, openEditor, type OpenedEditor } from './open-editor.ts';
import { waitFor } from '../../support/wait-for.ts';
import { lastBatch } from '../../support/last-batch.ts';

const yaml = 'server:\n  port: 8080\n';
const path = 'config/app.yaml';

function type(editor: OpenedEditor['editor'], text: string): void {
  editor.act((edited) => edited.insert(text));
}

/** Opens the YAML file of the sample; fails on a refusal. */
async function openYaml({ editor, place }: Pick<OpenedEditor, 'editor' | 'place'>) {
  const opened = await editor.open(place(path), look);
  if (opened.kind !== 'open') throw new Error(`it is ${opened.kind}`);
  return opened.file;
}

/** Returns the text that the next console would resume. */
async function keptText({ kept, place }: OpenedEditor): Promise<string | undefined> {
  return (await kept.drafts.read(place(path)))?.text;
}

/** Returns the service's text and the newest text in the trash. */
async function storedAndTrashed({ foreign, kept, place }: OpenedEditor) {
  const entry = (await lastBatch(kept.trash, foreign.sample, 'web'))[0];
  const trashed = entry && (await kept.trash.take(entry.id));
  return {
    stored: foreign.stored(foreign.sample, 'web', place(path).path)?.toString(),
    trashed: trashed && new TextDecoder().decode(trashed.bytes),
  };
}

async function refusal(opened: OpenedEditor, name: string): Promise<string> {
  const answer = await opened.editor.open(opened.place(name), look);
  expect(opened.editor.state.getState()).toMatchObject({ opening: undefined, file: undefined });
  return answer.kind === 'refused' ? answer.sentence : answer.kind;
}

test('a binary file is not opened', async () => {
  const opened = await openEditor();
  opened.foreign.put(opened.foreign.sample, 'web', 'logo.png', Buffer.from([0x89, 0x50, 0, 0xff]));
  expect(await refusal(opened, 'logo.png')).toMatch(/^logo.png is binary and can't be edited/);
});

test('ambiguous content is not opened', async () => {
  const opened = await openEditor({ content: 'bare-envelope' });
  const files = opened.foreign.deployments.get(opened.foreign.sample)?.files.get('web');
  for (const name of ['index.html', 'README.md', path]) files?.delete(name);
  expect(await refusal(opened, 'config/flags.json')).toMatch(/^flags.json can't be edited: /);
});

test('a file of 10 MiB is opened, a larger one is not', async () => {
  const opened = await openEditor();
  const { foreign, editor, place } = opened;
  foreign.put(foreign.sample, 'web', 'large.txt', Buffer.alloc(10 * 1024 * 1024, 'line\n'));
  foreign.put(foreign.sample, 'web', 'larger.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'line\n'));
  expect(await refusal(opened, 'larger.txt')).toMatch(/^larger.txt is larger than 10 MiB/);
  const opening = editor.open(place('large.txt'), look);
  const settled = vi.fn<() => void>();
  void opening.then(settled);
  // The text is read in slices, each in a turn of the clock.
  await waitFor(async () => {
    await opened.clock.advance(1);
    expect(settled).toHaveBeenCalled();
  });
  expect(await opening).toMatchObject({ kind: 'open' });
});

test('a missing file and an unreachable service are refused with their error', async () => {
  const opened = await openEditor();
  expect(await refusal(opened, 'missing.txt')).toMatch(/404|not found|no such/i);
  await opened.foreign.away();
  expect(await refusal(opened, path)).not.toBe('open');
});

test.each(['missing', 'away', 'binary'])('a draft opens though the file is %s', async (how) => {
  const opened = await openEditor();
  const { foreign, editor, place } = opened;
  await openYaml(opened);
  type(editor, 'mine: ');
  await opened.clock.advance(1000);
  await waitFor(async () => expect(await keptText(opened)).toBe(`mine: ${yaml}`));
  editor.close();
  if (how === 'away') await foreign.away();
  if (how === 'binary') foreign.put(foreign.sample, 'web', path, Buffer.from([0, 0xff]));
  if (how === 'missing') {
    await fetch(
      `${foreign.baseUrl}/api/v1/deployments/${foreign.sample}/services/web/files/${path}`,
      {
        method: 'DELETE',
        headers: { authorization: `Bearer ${foreign.token}` },
      },
    );
  }
  const next = opened.again();
  const file = await openYaml({ ...next, place });
  expect(file.text.text()).toBe(`mine: ${yaml}`);
  expect(file.draftAt).toBeDefined();
  expect(next.editor.state.getState().unsaved).toBe(true);
  next.editor.act((text) => text.run('undo'));
  expect(file.text.text()).toBe(yaml);
});

test('a draft that the service already has is reported as arrived', async () => {
  const opened = await openEditor();
  const { foreign, editor, place } = opened;
  expect((await openYaml(opened)).arrived).toBe(false);
  type(editor, 'mine: ');
  await opened.clock.advance(1000);
  await waitFor(async () => expect(await keptText(opened)).toBe(`mine: ${yaml}`));
  editor.close();
  foreign.put(foreign.sample, 'web', path, `mine: ${yaml}`);
  const next = opened.again();
  const file = await openYaml({ ...next, place });
  expect(file.arrived).toBe(true);
  expect(next.editor.state.getState().unsaved).toBe(false);
  await waitFor(async () => expect(await keptText(opened)).toBeUndefined());
});

test('typed text is stored within a second, and removed when typed back', async () => {
  const opened = await openEditor();
  const { editor, clock } = opened;
  await openYaml(opened);
  type(editor, 'x');
  await clock.advance(999);
  await waitFor(async () => expect(await keptText(opened)).toBe(`x${yaml}`));
  type(editor, 'y');
  editor.close();
  await clock.advance(999);
  await waitFor(async () => expect(await keptText(opened)).toBe(`xy${yaml}`));
  const file = await openYaml(opened);
  expect(file.text.text()).toBe(`xy${yaml}`);
  editor.act((text) => {
    text.select(2);
    text.run('backspace');
    text.run('backspace');
  });
  expect(file.text.text()).toBe(yaml);
  expect(editor.state.getState().unsaved).toBe(false);
  await waitFor(async () => expect(await keptText(opened)).toBeUndefined());
});

test('closing stores typed text at once', async () => {
  const opened = await openEditor();
  await openYaml(opened);
  type(opened.editor, 'x');
  opened.editor.close();
  await waitFor(async () => expect(await keptText(opened)).toBe(`x${yaml}`));
});

test('a change of line ends alone is stored and saved, also after a failed save', async () => {
  const opened = await openEditor();
  const { editor, foreign } = opened;
  await openYaml(opened);
  type(editor, 'x');
  foreign.failNext(1, { status: 500, method: 'PUT' });
  await editor.save();
  const other = `x${yaml}`.replaceAll('\n', '\r\n');
  editor.act((text) => text.replaceText(other));
  expect(editor.state.getState().unsaved).toBe(true);
  await opened.clock.advance(999);
  await waitFor(async () => expect(await keptText(opened)).toBe(other));
  await editor.save();
  expect((await storedAndTrashed(opened)).stored).toBe(other);
  expect(editor.state.getState().unsaved).toBe(false);
});

test('moving the cursor makes no draft', async () => {
  const opened = await openEditor();
  const { editor, clock } = opened;
  await openYaml(opened);
  for (const command of ['down', 'select-line-end', 'copy', 'left'] as const) {
    editor.act((text) => text.run(command));
  }
  await clock.advance(5000);
  expect(clock.waiting()).toEqual([]);
  expect(await keptText(opened)).toBeUndefined();
});

test('the later of two openings wins in any order of answers', async () => {
  const opened = await openEditor();
  const { editor, place } = opened;
  const release = opened.reads.hold();
  const first = editor.open(place('README.md'), look);
  const second = editor.open(place(path), look);
  expect(editor.state.getState().opening?.title).toBe(path);
  release();
  expect(await first).toEqual({ kind: 'superseded' });
  expect(await second).toMatchObject({ kind: 'open' });
  expect(editor.state.getState()).toMatchObject({ opening: undefined, file: { place: { path } } });
});

test('the open file stays when it is opened again during another opening', async () => {
  const opened = await openEditor();
  const { editor, place } = opened;
  const file = await openYaml(opened);
  type(editor, 'x');
  const release = opened.reads.hold();
  const other = editor.open(place('README.md'), look);
  expect(await editor.open(place(path), look)).toEqual({ kind: 'open', file, arrived: false });
  release();
  expect(await other).toEqual({ kind: 'superseded' });
  expect(editor.state.getState()).toMatchObject({ opening: undefined, file, unsaved: true });
});

test('a cancelled opening opens nothing', async () => {
  const opened = await openEditor();
  const { editor, place } = opened;
  const release = opened.reads.hold();
  const opening = editor.open(place(path), look);
  editor.stopOpening();
  release();
  expect(await opening).toEqual({ kind: 'superseded' });
  expect(editor.state.getState()).toMatchObject({ opening: undefined, file: undefined });
});

test('a save continues after the editor is closed, and reports its outcome', async () => {
  const opened = await openEditor();
  const { editor, outcomes, changes } = opened;
  await openYaml(opened);
  type(editor, 'x');
  const release = opened.writes.hold();
  const saving = editor.save();
  await waitFor(() => expect(opened.underWay()).toBe(1));
  editor.close();
  release();
  await saving;
  expect(outcomes).toEqual(['saved']);
  expect(changes).toEqual([path]);
  expect(opened.underWay()).toBe(0);
  expect((await storedAndTrashed(opened)).stored).toBe(`x${yaml}`);
  await waitFor(async () => expect(await keptText(opened)).toBeUndefined());
});

test('text typed after reopening during a save is kept and no conflict', async () => {
  const opened = await openEditor();
  const { editor, outcomes, clock } = opened;
  await openYaml(opened);
  type(editor, 'x');
  const release = opened.writes.hold();
  const saving = editor.save();
  await waitFor(() => expect(opened.underWay()).toBe(1));
  editor.close();
  const file = await openYaml(opened);
  type(editor, 'y');
  const typed = file.text.text();
  expect(typed).toMatch(/^(?:xy|yx)server:/);
  release();
  await saving;
  editor.close();
  await clock.advance(1000);
  await waitFor(async () => expect(await keptText(opened)).toBe(typed));
  await openYaml(opened);
  await editor.save();
  expect(outcomes).toEqual(['saved', 'saved']);
  expect((await storedAndTrashed(opened)).stored).toBe(typed);
});

test('the next save detects a save without an answer, also after reopening', async () => {
  const opened = await openEditor();
  const { editor, foreign } = opened;
  await openYaml(opened);
  type(editor, 'x');
  const release = opened.writes.hold();
  const saving = editor.save();
  await waitFor(() => expect(opened.underWay()).toBe(1));
  // The write arrives, and its answer is lost.
  foreign.failNext(1, { status: 504, method: 'PUT' });
  foreign.put(foreign.sample, 'web', path, `x${yaml}`);
  release();
  await saving;
  editor.close();
  await editor.open(opened.place('README.md'), look);
  await openYaml(opened);
  expect(opened.outcomes).toEqual(['unknown']);
  expect(editor.state.getState().unsaved).toBe(true);
  expect(opened.changes).toEqual([]);
  await editor.save();
  expect(opened.outcomes).toEqual(['unknown', 'saved']);
  expect(opened.changes).toEqual([path]);
});

test('a save without changes sends nothing', async () => {
  const opened = await openEditor();
  await openYaml(opened);
  await opened.editor.save();
  expect(opened.outcomes).toEqual(['unchanged']);
  expect(opened.foreign.writes()).toEqual([]);
});

test('after using theirs and typing, mine is in the trash', async () => {
  const opened = await openEditor();
  const { editor, foreign, clock } = opened;
  const file = await openYaml(opened);
  type(editor, 'mine\n');
  foreign.put(foreign.sample, 'web', path, 'theirs\n');
  await editor.save();
  expect(opened.outcomes).toEqual(['conflict']);
  await editor.choose('take theirs');
  expect(file.text.text()).toBe('theirs\n');
  expect(editor.state.getState().unsaved).toBe(false);
  expect(await storedAndTrashed(opened)).toEqual({ stored: 'theirs\n', trashed: `mine\n${yaml}` });
  expect(await keptText(opened)).toBe(`mine\n${yaml}`);
  editor.act((text) => text.run('document-end'));
  type(editor, 'and more\n');
  await clock.advance(1000);
  await waitFor(async () => expect(await keptText(opened)).toBe('theirs\nand more\n'));
  expect((await storedAndTrashed(opened)).trashed).toBe(`mine\n${yaml}`);
  await editor.save();
  expect((await storedAndTrashed(opened)).stored).toBe('theirs\nand more\n');
});

test('an overwritten version is in the trash', async () => {
  const opened = await openEditor();
  const { editor, foreign } = opened;
  await openYaml(opened);
  type(editor, 'mine\n');
  foreign.put(foreign.sample, 'web', path, 'theirs\n');
  await editor.save();
  await editor.choose('overwrite');
  expect(opened.outcomes).toEqual(['conflict', 'saved']);
  expect(await storedAndTrashed(opened)).toEqual({ stored: `mine\n${yaml}`, trashed: 'theirs\n' });
});

test('an ambiguous version is not overwritten', async () => {
  const opened = await openEditor({ content: 'bare-envelope' });
  const { editor, foreign, kept, place } = opened;
  const flags = place('config/flags.json');
  foreign.deployments.get(foreign.sample)?.files.get('web')?.clear();
  foreign.put(foreign.sample, 'web', flags.path, '{}');
  await kept.drafts.write({ ...flags, text: '[]', base: '{"a":1}', at: 1 });
  expect(await editor.open(flags, look)).toMatchObject({ kind: 'open' });
  await editor.save();
  await editor.choose('overwrite');
  expect(opened.outcomes).toEqual(['conflict', 'not kept']);
  expect(foreign.writes()).toEqual([]);
  expect((await lastBatch(kept.trash, foreign.sample, 'web'))[0]).toBeUndefined();
});

test('a merge is sent by the next save only, and one undo restores mine', async () => {
  const opened = await openEditor();
  const { editor, foreign } = opened;
  const file = await openYaml(opened);
  type(editor, '# mine\n');
  foreign.put(foreign.sample, 'web', path, `${yaml}  host: any\n`);
  await editor.save();
  await editor.choose('merge');
  expect(file.text.text()).toBe(`# mine\n${yaml}  host: any\n`);
  expect(editor.state.getState().unsaved).toBe(true);
  expect(foreign.writes()).toEqual([]);
  editor.act((text) => text.run('undo'));
  expect(file.text.text()).toBe(`# mine\n${yaml}`);
  editor.act((text) => text.run('redo'));
  await editor.save();
  expect((await storedAndTrashed(opened)).stored).toBe(`# mine\n${yaml}  host: any\n`);
});

test('undo across a save is unsaved again and stored', async () => {
  const opened = await openEditor();
  const { editor, clock } = opened;
  const file = await openYaml(opened);
  type(editor, 'x');
  await editor.save();
  expect(editor.state.getState().unsaved).toBe(false);
  editor.act((text) => text.run('undo'));
  expect(file.text.text()).toBe(yaml);
  expect(editor.state.getState().unsaved).toBe(true);
  await clock.advance(1000);
  await waitFor(async () => expect(await keptText(opened)).toBe(yaml));
});

test('text typed during a save stays unsaved and stored', async () => {
  const opened = await openEditor();
  const { editor, clock } = opened;
  await openYaml(opened);
  type(editor, 'x');
  const release = opened.writes.hold();
  const saving = editor.save();
  await waitFor(() => expect(opened.underWay()).toBe(1));
  type(editor, 'y');
  release();
  await saving;
  expect((await storedAndTrashed(opened)).stored).toBe(`x${yaml}`);
  expect(editor.state.getState().unsaved).toBe(true);
  await clock.advance(1000);
  await waitFor(async () => expect(await keptText(opened)).toBe(`xy${yaml}`));
});
