import { chmod, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openLocalState } from '../../support/local-state.ts';
import { saveSentence } from '../../../source/store/editor/save-sentence.ts';
import { placeKey } from '../../../source/store/drafts/places.ts';
import { deploy } from '../../host/support/bodies.ts';
import { sharedHost } from '../../host/support/shared-host.ts';
import { formOf, idle, sdlOf } from '../../host/support/temporary-host.ts';
import type { Meddling, Passing } from '../../servers/meddling-proxy.ts';
import { type EditorWorld, startEditorWorld } from './editor-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { lastBatch } from '../../support/last-batch.ts';

const host = sharedHost();
const owner = host.as('0xowner');
let deploymentId: string;

beforeAll(async () => {
  ({ id: deploymentId } = await deploy(owner, sdlOf({ web: idle })));
});

const at = (file: string) => ({ id: deploymentId, name: 'web', path: file });
const place = (file: string) => ({ deploymentId, service: 'web', path: file });

/** Writes of a stranger, through another connection to the service. */
const stranger = {
  puts: (file: string, content: string) =>
    owner.call('updateFile', { ...at(file), json: { content } }),
  deletes: (file: string) => owner.call('deleteFile', at(file)),
  renames: (oldPath: string, newPath: string) =>
    owner.call('renameFile', { id: deploymentId, name: 'web', json: { oldPath, newPath } }),
  uploads: (file: string, bytes: Uint8Array<ArrayBuffer>) =>
    owner.call('uploadFiles', { id: deploymentId, name: 'web', form: formOf({ [file]: bytes }) }),
};

async function stored(file: string): Promise<string | undefined> {
  const answer = await owner.call('getFile', at(file));
  const { file: found } = answer.body as { readonly file?: { readonly content: string } };
  return found?.content;
}

interface Opened extends EditorWorld {
  /** Returns the sentence of the last outcome. */
  said(): string;
  /** Returns the text of the stored draft. */
  draft(): Promise<string | undefined>;
  /** Returns the content of the newest file in the trash. */
  trashed(): Promise<string | undefined>;
}

/** Opens a file with this content and types a word, which is stored as a draft. */
async function openedWith(file: string, content: string, typed = 'mine '): Promise<Opened> {
  await stranger.puts(file, content);
  const world = await startEditorWorld({ ...owner, baseUrl: host.host.baseUrl });
  onTestFinished(() => world[Symbol.asyncDispose]());
  expect(await world.open(place(file))).toBeUndefined();
  if (typed !== '') world.type(typed);
  await world.drafts.flush();
  return {
    ...world,
    said() {
      const outcome = world.outcomes.at(-1);
      if (outcome === undefined) throw new Error('nothing came of it yet');
      return saveSentence(outcome, { path: file, host: 'here', time: '12:01:03', restart: '' })
        .text;
    },
    draft: async () => (await world.drafts.read(place(file)))?.text,
    async trashed() {
      const entry = (await lastBatch(world.trash, deploymentId, 'web'))[0];
      const kept = entry && (await world.trash.take(entry.id));
      return kept && Buffer.from(kept.bytes).toString();
    },
  };
}

const isPut = ({ method }: Passing) => method === 'PUT';

describe('while a file is open, someone else', () => {
  it('changes it: nothing is sent, and overwriting keeps theirs in the trash', async () => {
    const world = await openedWith('changed.txt', 'base\n');
    await stranger.puts('changed.txt', 'theirs\n');
    await world.editor.save();
    expect(world.now().phase).toMatchObject({ kind: 'conflict', counts: { touch: true } });
    expect(world.said()).toBe('changed.txt changed on the service. Nothing was sent.');
    expect(world.proxy.writes()).toEqual([]);
    expect(await world.draft()).toBe('mine base\n');
    await world.editor.choose('overwrite');
    expect(await stored('changed.txt')).toBe('mine base\n');
    expect(await world.trashed()).toBe('theirs\n');
    await world.drafts.flush();
    expect(await world.draft()).toBeUndefined();
  });

  it('changes other lines of it: the merge is not sent before ^S', async () => {
    const world = await openedWith('merged.txt', '1\n2\n3\n4\n5\n');
    await stranger.puts('merged.txt', '1\n2\n3\n4\nfive\n');
    await world.editor.save();
    await world.editor.choose('merge');
    expect(world.text()).toBe('mine 1\n2\n3\n4\nfive\n');
    expect(await stored('merged.txt')).toBe('1\n2\n3\n4\nfive\n');
    await world.drafts.flush();
    expect(await world.draft()).toBe('mine 1\n2\n3\n4\nfive\n');
    await world.editor.save();
    expect(await stored('merged.txt')).toBe('mine 1\n2\n3\n4\nfive\n');
  });

  it('makes my change and another one: the merge equals theirs, and no draft is left', async () => {
    const world = await openedWith('same.txt', '1\n2\n3\n4\n5\n');
    await stranger.puts('same.txt', 'mine 1\n2\n3\n4\nfive\n');
    await world.editor.save();
    await world.editor.choose('merge');
    expect(world.text()).toBe('mine 1\n2\n3\n4\nfive\n');
    expect(world.editor.state.getState().unsaved).toBe(false);
    await world.drafts.flush();
    expect(await world.draft()).toBeUndefined();
    expect(world.drafts.state.getState().drafts.size).toBe(0);
  });

  it('changes it twice: only the version that was shown is overwritten', async () => {
    const world = await openedWith('twice.txt', 'base\n');
    await stranger.puts('twice.txt', 'theirs\n');
    await world.editor.save();
    await stranger.puts('twice.txt', 'theirs again\n');
    await world.editor.choose('overwrite');
    expect(world.now().phase).toMatchObject({
      kind: 'conflict',
      theirs: { text: 'theirs again\n' },
    });
    expect(await stored('twice.txt')).toBe('theirs again\n');
    expect(await world.draft()).toBe('mine base\n');
  });

  it('changes it and theirs is used: mine is in the trash, in the draft and one undo away', async () => {
    const world = await openedWith('taken.txt', 'base\n');
    await stranger.puts('taken.txt', 'theirs\n');
    await world.editor.save();
    await world.editor.choose('take theirs');
    expect(world.text()).toBe('theirs\n');
    expect(await world.trashed()).toBe('mine base\n');
    expect(await world.draft()).toBe('mine base\n');
    world.act((text) => text.run('undo'));
    expect(world.text()).toBe('mine base\n');
    expect(world.proxy.writes()).toEqual([]);
  });

  it('writes the same: nothing is sent, and the draft is removed', async () => {
    const world = await openedWith('same.txt', 'base\n');
    await stranger.puts('same.txt', 'mine base\n');
    await world.editor.save();
    expect(world.said()).toBe('The service already has your same.txt. Nothing was sent.');
    expect(world.proxy.writes()).toEqual([]);
    expect(world.editor.state.getState().unsaved).toBe(false);
    expect(await world.draft()).toBeUndefined();
  });

  it('makes it binary: it is neither merged nor lost', async () => {
    const world = await openedWith('binary.txt', 'base\n');
    await stranger.uploads('binary.txt', new Uint8Array([0, 1, 2, 0xff]));
    await world.editor.save();
    expect(world.now().phase).toMatchObject({ kind: 'conflict', counts: undefined });
    expect(world.said()).toContain('is no longer text. Nothing was sent.');
    await world.editor.choose('overwrite');
    expect(await stored('binary.txt')).toBe('mine base\n');
    const entry = (await lastBatch(world.trash, deploymentId, 'web'))[0];
    const theirs = entry && (await world.trash.take(entry.id));
    expect([...(theirs?.bytes ?? [])]).toEqual([0, 1, 2, 0xff]);
  });

  it.each([
    ['deletes it', (file: string) => stranger.deletes(file)],
    ['renames it', (file: string) => stranger.renames(file, `${file}.old`)],
  ])('%s: it is only made again when that is chosen', async (what, act) => {
    const file = `${what.split(' ')[0]}.txt`;
    const world = await openedWith(file, 'base\n');
    await act(file);
    await world.editor.save();
    expect(world.said()).toBe(
      `${file} was deleted on the service. Nothing was sent. ^S: create again.`,
    );
    await world.editor.save();
    expect(world.now().phase).toEqual({ kind: 'offered' });
    expect(world.proxy.writes()).toEqual([]);
    expect(await stored(file)).toBeUndefined();
    expect(await world.draft()).toBe('mine base\n');
    await world.editor.choose('create');
    expect(await stored(file)).toBe('mine base\n');
    expect(world.changes).toHaveLength(1);
  });

  it.each([
    ['as it was', 'base\n', { kind: 'idle' }, 'mine base\n'],
    ['with another content', 'theirs\n', { kind: 'conflict' }, 'theirs\n'],
  ])('deletes it and makes it again %s', async (_, again, phase, left) => {
    const world = await openedWith('again.txt', 'base\n');
    await stranger.deletes('again.txt');
    await world.editor.save();
    expect(world.now().outcome).toEqual({ kind: 'deleted' });
    await stranger.puts('again.txt', again);
    await world.editor.save();
    expect(world.now().phase).toMatchObject(phase);
    expect(await stored('again.txt')).toBe(left);
  });

  it('deletes it between the check and the write, and the write creates it again', async () => {
    const world = await openedWith('between.txt', 'base\n');
    world.proxy.meddle = async (passing): Promise<Meddling> => {
      if (isPut(passing)) await stranger.deletes('between.txt');
      return 'pass';
    };
    await world.editor.save();
    // A PUT creates a file on our host (contract, "Files"), so the write succeeds.
    expect(world.now().outcome).toMatchObject({ kind: 'saved', sent: true });
    expect(await stored('between.txt')).toBe('mine base\n');
  });

  it('changes it between the check and the write: the last write wins', async () => {
    const world = await openedWith('last.txt', 'base\n');
    world.proxy.meddle = async (passing): Promise<Meddling> => {
      if (isPut(passing)) await stranger.puts('last.txt', 'theirs\n');
      return 'pass';
    };
    await world.editor.save();
    expect(world.now().outcome).toMatchObject({ kind: 'saved', sent: true });
    expect(await stored('last.txt')).toBe('mine base\n');
    expect(world.proxy.writes()).toHaveLength(1);
  });

  it('changes it before a lost answer: the next check finds theirs', async () => {
    const world = await openedWith('lost.txt', 'base\n');
    world.proxy.meddle = (passing) =>
      isPut(passing) ? 'drop when the service has answered' : 'pass';
    await world.editor.save();
    expect(world.now().outcome).toMatchObject({ kind: 'unknown' });
    await stranger.puts('lost.txt', 'theirs\n');
    world.proxy.meddle = () => 'pass';
    await world.editor.save();
    expect(world.now().phase).toMatchObject({ kind: 'conflict', theirs: { text: 'theirs\n' } });
    expect(world.proxy.writes()).toHaveLength(1);
    expect(await stored('lost.txt')).toBe('theirs\n');
  });
});

it('a save is reported after its restart is in the journal, and a ^S meanwhile is queued', async () => {
  await stranger.puts('kept.txt', 'base\n');
  const kept = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  await using world = await startEditorWorld({
    ...owner,
    baseUrl: host.host.baseUrl,
    onSaved() {
      told.resolve();
      return kept.promise;
    },
  });
  await world.open(place('kept.txt'));
  world.type('mine ');
  const saving = world.editor.save();
  await told.promise;
  expect(world.outcomes).toEqual([]);
  world.type('more ');
  const again = world.editor.save();
  kept.resolve();
  await Promise.all([saving, again]);
  expect(world.outcomes.map(({ kind }) => kind)).toEqual(['saved', 'saved']);
  expect(await stored('kept.txt')).toBe('mine more base\n');
});

it('a text is stored before it is sent, so that no older draft is left', async () => {
  await stranger.puts('ahead.txt', 'base\n');
  const state = temporaryFolder();
  const { baseUrl } = host.host;
  await using world = await startEditorWorld({ ...owner, baseUrl, state });
  await world.open(place('ahead.txt'));
  world.type('older ');
  await world.drafts.flush();
  world.type('newer ');
  const seen: (string | undefined)[] = [];
  world.proxy.meddle = async (passing): Promise<Meddling> => {
    const kept = await openLocalState(state, baseUrl).drafts.read(place('ahead.txt'));
    if (isPut(passing)) seen.push(kept?.text);
    return 'pass';
  };
  await world.editor.save();
  expect(seen).toEqual(['older newer base\n']);
});

describe('a write that fails', () => {
  it.each([
    [500, 'service-error'],
    [413, 'too-large'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [429, 'rate-limited'],
  ])('with %i changes nothing and is sent once; the next ^S sends it', async (status, code) => {
    const world = await openedWith('failing.txt', 'base\n');
    world.proxy.meddle = (passing) => (isPut(passing) ? { status } : 'pass');
    await world.editor.save();
    expect(world.now().outcome).toMatchObject({ kind: 'failed', error: { code } });
    expect(world.said()).toContain('Draft kept.');
    expect(world.proxy.writes()).toHaveLength(1);
    expect(world.editor.state.getState().unsaved).toBe(true);
    expect(await world.draft()).toBe('mine base\n');
    expect(world.changes).toEqual([]);
    world.proxy.meddle = () => 'pass';
    await world.editor.save();
    expect(await stored('failing.txt')).toBe('mine base\n');
    expect(world.changes).toHaveLength(1);
  });

  it.each<[Meddling, string, number]>([
    ['drop when the service has answered', 'mine base\n', 1],
    ['drop before the service has it', 'base\n', 2],
  ])(
    'without an answer (%s) is unknown, and checked before it is sent again',
    async (how, left, sent) => {
      const world = await openedWith('unknown.txt', 'base\n');
      world.proxy.meddle = (passing) => (isPut(passing) ? how : 'pass');
      await world.editor.save();
      expect(world.now()).toMatchObject({ outcome: { kind: 'unknown' }, unsettled: 'mine base\n' });
      expect(world.said()).toContain(
        'unknown.txt may not have been saved. Draft kept; ^S retries.',
      );
      expect(world.editor.state.getState().unsaved).toBe(true);
      expect(await stored('unknown.txt')).toBe(left);
      expect(await world.draft()).toBe('mine base\n');
      const before = world.proxy.passed.length;
      world.proxy.meddle = () => 'pass';
      await world.editor.save();
      expect(world.proxy.passed[before]?.method).toBe('GET');
      expect(world.proxy.writes()).toHaveLength(sent);
      expect(world.now().outcome).toMatchObject({ kind: 'saved', sent: true });
      expect(world.changes).toHaveLength(1);
      expect(await stored('unknown.txt')).toBe('mine base\n');
    },
  );

  it('without an answer is detected by another console that opens the draft', async () => {
    const world = await openedWith('later.txt', 'base\n');
    world.proxy.meddle = (passing) =>
      isPut(passing) ? 'drop when the service has answered' : 'pass';
    await world.editor.save();
    await using next = await world.reopened();
    expect(await next.open(place('later.txt'))).toBeUndefined();
    expect(next.text()).toBe('mine base\n');
    await next.editor.save();
    expect(next.proxy.writes()).toEqual([]);
    expect(await stored('later.txt')).toBe('mine base\n');
  });

  it.each([500, 404, 401])(
    'after a check that is answered %i is none: nothing was sent',
    async (status) => {
      const world = await openedWith('unchecked.txt', 'base\n');
      world.proxy.meddle = () => ({ status });
      await world.editor.save();
      const kind = status === 404 ? 'deleted' : 'unchecked';
      expect(world.now().outcome).toMatchObject({ kind });
      expect(world.proxy.writes()).toEqual([]);
      expect(await world.draft()).toBe('mine base\n');
      world.proxy.meddle = () => 'pass';
      await world.editor.save();
      expect(await stored('unchecked.txt')).toBe('mine base\n');
    },
  );
});

describe('a machine with a full disk', () => {
  /** A path below which no folder can be created, not even by root. */
  async function unwritable(): Promise<{
    readonly state: string;
    readonly heal: () => Promise<void>;
  }> {
    const folder = temporaryFolder();
    const state = path.join(folder, 'state');
    await writeFile(state, 'no folder');
    await chmod(folder, 0o500);
    const heal = async () => {
      await chmod(folder, 0o700);
      await rm(state);
    };
    return { state, heal };
  }

  it('reports the draft failure, saves anyway, and stores later drafts when it can', async () => {
    await stranger.puts('full.txt', 'base\n');
    const { state, heal } = await unwritable();
    await using world = await startEditorWorld({ ...owner, baseUrl: host.host.baseUrl, state });
    const key = placeKey(place('full.txt'));
    const failure = () => world.drafts.state.getState().failures.get(key);
    expect(await world.open(place('full.txt'))).toBeUndefined();
    world.type('mine ');
    await world.drafts.flush();
    expect(failure()).toMatch(/^Can't save the draft of full\.txt: .+\.$/);
    await world.editor.save();
    expect(await stored('full.txt')).toBe('mine base\n');
    world.type('more ');
    await world.drafts.flush();
    expect(failure()).toBeDefined();
    await heal();
    await world.drafts.flush();
    expect(failure()).toBeUndefined();
    expect((await world.drafts.read(place('full.txt')))?.text).toBe('mine more base\n');
  });

  it('overwrites nothing without a copy in the trash', async () => {
    await stranger.puts('unkept.txt', 'base\n');
    const { state } = await unwritable();
    await using world = await startEditorWorld({ ...owner, baseUrl: host.host.baseUrl, state });
    expect(await world.open(place('unkept.txt'))).toBeUndefined();
    world.type('mine ');
    await stranger.puts('unkept.txt', 'theirs\n');
    await world.editor.save();
    await world.editor.choose('overwrite');
    expect(world.now().outcome).toMatchObject({ kind: 'not kept', whose: 'theirs' });
    expect(await stored('unkept.txt')).toBe('theirs\n');
    await world.editor.choose('take theirs');
    expect(world.now().outcome).toMatchObject({ kind: 'not kept', whose: 'mine' });
    expect(world.text()).toBe('mine base\n');
    expect(world.proxy.writes()).toEqual([]);
  });
});
