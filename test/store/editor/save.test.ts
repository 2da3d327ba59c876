import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FilesClient } from '../../../source/client/files.ts';
import { createClient } from '../../../source/client/client.ts';
import { createEditorSave } from '../../../source/store/editor/save.ts';
import type { LocalPlace } from '../../../source/store/drafts/places.ts';
import type { RemoteFile } from '../../../source/store/editor/save-state.ts';
import { createTestClock } from '../../support/clock.ts';
import { deploy } from '../../host/support/bodies.ts';
import { sharedHost } from '../../host/support/shared-host.ts';
import { idle, sdlOf } from '../../host/support/temporary-host.ts';
import { startForeign } from '../../servers/foreign.ts';
import { startForgetful } from '../../servers/forgetful.ts';

interface Target {
  readonly baseUrl: string;
  readonly token: string;
  readonly deploymentId: string;
  readonly path: string;
}

/** A file opened in an editor, with all reports of its save. */
async function open({ deploymentId, path, ...service }: Target, isNew = false) {
  const connection = createClient(service);
  onTestFinished(() => connection.close());
  const client: FilesClient = {
    ...connection.files,
    update: async (...asked) => {
      told.push('PUT');
      return connection.files.update(...asked);
    },
  };
  const told: string[] = [];
  const changes: LocalPlace[] = [];
  const keptTheirs: RemoteFile[] = [];
  const keptEarlier: RemoteFile[] = [];
  const keptMine: string[] = [];
  const opened = isNew ? undefined : await client.get(deploymentId, 'web', path);
  if (opened?.ok === false) throw new Error(opened.error.sentence);
  const text = opened?.value.text;
  const editor = { text: text ?? '' };
  const save = createEditorSave({
    client,
    clock: createTestClock(1000),
    place: () => ({ deploymentId, service: 'web', path }),
    base: text === undefined ? undefined : { text },
    readText: () => editor.text,
    showText: (text) => {
      editor.text = text ?? '(none)';
    },
    keepDraft: async () => {},
    keepTheirs: async (file) => {
      keptTheirs.push(file);
      return { ok: true };
    },
    keepEarlier: async (file) => {
      keptEarlier.push(file);
      return async () => void keptEarlier.pop();
    },
    keepMine: async (text) => {
      keptMine.push(text);
      return { ok: true };
    },
    writes: {
      async intend() {},
      notChanged() {},
      async fileChanged(file) {
        told.push('changed');
        changes.push(file);
      },
      operation(id) {
        told.push(`begin ${id === deploymentId}`);
        return () => told.push('end');
      },
    },
    onSaved() {},
  });
  return {
    ...save,
    editor,
    told,
    changes,
    keptTheirs,
    keptEarlier,
    keptMine,
    now: () => save.state.getState(),
  };
}

const host = sharedHost();
const owner = host.as('0xowner');
let deploymentId: string;

beforeAll(async () => {
  ({ id: deploymentId } = await deploy(owner, sdlOf({ web: idle })));
});

const put = (path: string, content: string) =>
  owner.call('updateFile', { id: deploymentId, name: 'web', path, json: { content } });

const ourHost = (path: string): Target => ({
  baseUrl: host.host.baseUrl,
  token: owner.token,
  deploymentId,
  path,
});

async function stored(path: string): Promise<string | undefined> {
  const answer = await owner.call('getFile', { id: deploymentId, name: 'web', path });
  const { file } = answer.body as { readonly file?: { readonly content: string } };
  return file?.content;
}

describe('against our host', () => {
  it('reports a save to the restarts before its operation ends', async () => {
    await put('config/a.yaml', '\u{feff}a: 1\r\n');
    const file = await open(ourHost('config/a.yaml'));
    file.editor.text = '\u{feff}a: 2\r\n';
    await file.save();
    expect(await stored('config/a.yaml')).toBe('\u{feff}a: 2\r\n');
    expect(file.told).toEqual(['begin true', 'PUT', 'changed', 'end']);
    expect(file.changes).toEqual([{ deploymentId, service: 'web', path: 'config/a.yaml' }]);
    // The undo needs the version that was replaced.
    expect(file.keptEarlier.map(({ text }) => text)).toEqual(['\u{feff}a: 1\r\n']);
    await file.save();
    expect(file.now().outcome).toEqual({ kind: 'unchanged' });
  });

  it('runs a second save after the first, and sends the newer text once', async () => {
    await put('twice.txt', 'one\n');
    const file = await open(ourHost('twice.txt'));
    file.editor.text = 'two\n';
    const first = file.save();
    file.editor.text = 'three\n';
    await Promise.all([first, file.save(), file.save()]);
    expect(await stored('twice.txt')).toBe('three\n');
    expect(file.told.filter((word) => word === 'PUT')).toHaveLength(2);
    expect(file.told.filter((word) => word === 'end')).toHaveLength(2);
  });

  it('merges a conflict', async () => {
    await put('merge.txt', '1\n2\n3\n4\n5\n');
    const file = await open(ourHost('merge.txt'));
    file.editor.text = 'I\n2\n3\n4\n5\n';
    await put('merge.txt', '1\n2\n3\n4\nV\n');
    await file.save();
    expect(file.now().phase).toMatchObject({ kind: 'conflict', counts: { touch: false } });
    expect(file.told).toEqual([]);
    await file.choose('merge');
    expect(await stored('merge.txt')).toBe('1\n2\n3\n4\nV\n');
    await file.save();
    expect(await stored('merge.txt')).toBe('I\n2\n3\n4\nV\n');
  });

  it('resolves a conflict with mine or theirs, with a copy of the other', async () => {
    await put('both.txt', 'base\n');
    const file = await open(ourHost('both.txt'));
    file.editor.text = 'mine\n';
    await put('both.txt', 'theirs\n');
    await file.save();
    await file.choose('overwrite');
    expect(await stored('both.txt')).toBe('mine\n');
    expect(file.keptTheirs.map(({ text }) => text)).toEqual(['theirs\n']);
    expect(file.keptEarlier).toEqual([]);

    file.editor.text = 'mine again\n';
    await put('both.txt', 'theirs again\n');
    await file.save();
    await file.choose('take theirs');
    expect(file.editor.text).toBe('theirs again\n');
    expect(file.keptMine).toEqual(['mine again\n']);
    expect(await stored('both.txt')).toBe('theirs again\n');
  });

  it('creates a deleted file again only by choice', async () => {
    await put('gone.txt', 'here\n');
    const file = await open(ourHost('gone.txt'));
    file.editor.text = 'mine\n';
    await owner.call('deleteFile', { id: deploymentId, name: 'web', path: 'gone.txt' });
    await file.save();
    expect(file.now().outcome).toEqual({ kind: 'deleted' });
    await file.save();
    expect(file.now().phase).toEqual({ kind: 'offered' });
    expect(await stored('gone.txt')).toBeUndefined();
    await file.choose('create');
    expect(await stored('gone.txt')).toBe('mine\n');
    expect(file.changes).toHaveLength(1);
  });

  it('creates a new file, also in a new folder', async () => {
    const file = await open(ourHost('new/folder/file.txt'), true);
    file.editor.text = 'new\n';
    await file.save();
    expect(await stored('new/folder/file.txt')).toBe('new\n');
    expect(file.told.at(-1)).toBe('end');
  });

  it('ends the operation of a refused write without a change', async () => {
    await put('big.txt', 'small\n');
    const file = await open(ourHost('big.txt'));
    file.editor.text = 'x'.repeat(11 * 1024 * 1024);
    await file.save();
    expect(file.now().outcome).toMatchObject({ kind: 'failed', error: { code: 'too-large' } });
    expect(file.told).toEqual(['begin true', 'PUT', 'end']);
    expect(await stored('big.txt')).toBe('small\n');
  });
});

describe.each(['raw', 'envelope', 'base64'] as const)(
  'against a service that answers %s',
  (content) => {
    it('saves, sees a stranger’s change, and a file that became something else', async () => {
      const service = await startForeign({ content });
      onTestFinished(() => service.close());
      const { sample } = service;
      const path = 'config/app.yaml';
      const file = await open({ ...service, deploymentId: sample, path });
      file.editor.text = 'server:\n  port: 1\n';
      await file.save();
      expect(service.stored(sample, 'web', path)?.toString()).toBe('server:\n  port: 1\n');
      service.put(sample, 'web', path, 'server:\n  port: 2\n');
      file.editor.text = 'server:\n  port: 3\n';
      await file.save();
      expect(file.now().phase).toMatchObject({ kind: 'conflict', counts: { touch: true } });
      await file.choose('keep editing');
      service.put(sample, 'web', path, Buffer.from([0, 1, 2]));
      const writes = service.writes().length;
      await file.save();
      expect(file.now().phase).toMatchObject({ kind: 'conflict', counts: undefined });
      expect(service.writes()).toHaveLength(writes);
    });
  },
);

describe('against a service that hangs up after a PUT', () => {
  async function openForgetful() {
    const service = await startForgetful('base\n');
    onTestFinished(() => service.close());
    const file = await open({ ...service, deploymentId: 'shop', path: 'app.yaml' });
    return { service, file };
  }

  it('a write that arrived is detected by the next save, and counts as a change', async () => {
    const { service, file } = await openForgetful();
    file.editor.text = 'mine\n';
    service.loses = 'the answer';
    await file.save();
    expect(file.now()).toMatchObject({ outcome: { kind: 'unknown' }, unsettled: 'mine\n' });
    expect(file.told).toEqual(['begin true', 'PUT', 'end']);
    await file.save();
    expect(file.now().outcome).toEqual({ kind: 'saved', at: 1000, sent: true });
    expect(service.methods.filter((method) => method === 'PUT')).toHaveLength(1);
    expect(file.changes).toHaveLength(1);
  });

  it('a write that did not arrive is sent by the next save', async () => {
    const { service, file } = await openForgetful();
    file.editor.text = 'mine\n';
    service.loses = 'the write';
    await file.save();
    expect(file.now().outcome).toMatchObject({ kind: 'unknown' });
    service.loses = 'nothing';
    await file.save();
    expect(service.content).toBe('mine\n');
    expect(file.changes).toHaveLength(1);
  });

  it('a save of an unreachable service sends nothing', async () => {
    const { service, file } = await openForgetful();
    await service.close();
    file.editor.text = 'mine\n';
    await file.save();
    expect(file.now()).toMatchObject({ phase: { kind: 'idle' }, outcome: { kind: 'unchecked' } });
    expect(file.told).toEqual([]);
  });
});

it('a cancelled check sends nothing', async () => {
  await put('cancel.txt', 'base\n');
  const file = await open(ourHost('cancel.txt'));
  file.editor.text = 'mine\n';
  const saved = file.save();
  file.cancel();
  await saved;
  expect(file.now().outcome).toMatchObject({ kind: 'unchecked', error: { code: 'aborted' } });
  expect(await stored('cancel.txt')).toBe('base\n');
});
