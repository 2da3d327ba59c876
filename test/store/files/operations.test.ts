import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { FilesClient } from '../../../source/client/files.ts';
import { createClient } from '../../../source/client/client.ts';
import { createFileOperations } from '../../../source/store/files/operations.ts';
import { discardDrafts } from '../../../source/store/drafts/discard.ts';
import { createDrafts } from '../../../source/store/drafts/drafts.ts';
import type { Trash } from '../../../source/store/drafts/trash.ts';
import { createTrashFolder } from '../../../source/disk/trash-folder.ts';
import { createTestClock } from '../../support/clock.ts';
import { deploy } from '../../host/support/bodies.ts';
import { sharedHost } from '../../host/support/shared-host.ts';
import { idle, sdlOf } from '../../host/support/temporary-host.ts';
import { type Foreign, type ForeignOptions, startForeign } from '../../servers/foreign.ts';
import { openLocalState } from '../../support/local-state.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { FileOutcome } from '../../../source/store/files/outcome.ts';
import { lastBatch } from '../../support/last-batch.ts';

/** A deployment with an empty service `web`, and two clients for it. */
interface Subject {
  readonly files: FilesClient;
  readonly stranger: FilesClient;
  readonly id: string;
  readonly stateFolder: string;
}

async function connected(
  service: { readonly baseUrl: string; readonly token: string },
  id: string,
): Promise<Subject> {
  const [own, other] = [createClient(service), createClient(service)];
  const stateFolder = temporaryFolder();
  onTestFinished(async () => {
    await Promise.all([own.close(), other.close()]);
  });
  return { files: own.files, stranger: other.files, id, stateFolder };
}

const shared = sharedHost({ limits: { maxUpdateBytes: 100 } });
const owner = shared.as('0xowner');
let hostDeployment: string;

beforeAll(async () => {
  ({ id: hostDeployment } = await deploy(owner, sdlOf({ web: idle })));
});

/** Returns the deployment on our host without the files of the tests before. */
async function onHost(): Promise<Subject> {
  const { baseUrl } = shared.host;
  const subject = await connected({ baseUrl, token: owner.token }, hostDeployment);
  const { stranger, id } = subject;
  const listed = await stranger.list(id, 'web');
  if (!listed.ok) throw new Error(listed.error.sentence);
  const paths = listed.value.filter(({ value }) => value.directory !== true);
  for (const { value } of paths) {
    expect(await stranger.delete(id, 'web', value.path)).toMatchObject({ ok: true });
  }
  return subject;
}

async function onForeign(
  options: Partial<ForeignOptions> = {},
): Promise<Subject & { readonly service: Foreign }> {
  const service = await startForeign(options);
  onTestFinished(() => service.close());
  service.deployments.get(service.sample)?.files.get('web')?.clear();
  return { ...(await connected(service, service.sample)), service };
}

function createOperations(subject: Subject, trash?: Trash) {
  const { files, stranger, id, stateFolder } = subject;
  const clock = createTestClock();
  const usedTrash = trash ?? createTrashFolder(stateFolder, 'http://here');
  const { drafts: keeper } = openLocalState(stateFolder, 'http://here');
  const drafts = createDrafts({ keeper, clock });
  const events: string[] = [];
  const operations = createFileOperations({
    client: files,
    trash: usedTrash,
    clock,
    drafts: {
      ...drafts,
      discard: (places) => discardDrafts({ drafts, trash: usedTrash, clock }, places),
    },
    writes: {
      async intend() {},
      notChanged() {},
      operation(deploymentId) {
        events.push(deploymentId === id ? 'begin' : deploymentId);
        return () => events.push('end');
      },
      async fileChanged(place) {
        events.push(place.path);
      },
    },
  });
  const web = { deploymentId: id, service: 'web' };
  const at = (file: string) => ({ ...web, path: file });
  return {
    operations,
    clock,
    trash: usedTrash,
    web,
    at,
    /** Returns the events since the last call. */
    events: () => events.splice(0),
    put: async (contents: Readonly<Record<string, string | Uint8Array>>) => {
      const parts = Object.entries(contents).map(([name, content]) => ({
        path: name,
        source: { bytes: Buffer.from(content) },
      }));
      expect(await stranger.upload(id, 'web', parts)).toMatchObject({ ok: true });
    },
    stored: async (file: string): Promise<string | undefined> => {
      const got = await stranger.get(id, 'web', file);
      return got.ok ? Buffer.from(got.value.bytes).toString('latin1') : undefined;
    },
    listed: async (): Promise<readonly string[]> => {
      const got = await stranger.list(id, 'web');
      if (!got.ok) throw new Error(got.error.sentence);
      return got.value
        .filter(({ value }) => value.directory !== true)
        .map(({ value }) => value.path);
    },
  };
}

function sentenceOf(outcome: FileOutcome): string {
  return outcome.sentence;
}

const binary = Buffer.from([0x89, 0x50, 0, 0xff, 0xfe, 0x0a]).toString('latin1');
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

describe.each<[string, () => Promise<Subject>]>([
  ['the host', onHost],
  ['a foreign service', () => onForeign({ content: 'base64' })],
  ['one with folders and segments', () => onForeign({ files: 'folders', pathForm: 'segments' })],
  ['one that answers raw', () => onForeign({ files: 'records', envelope: 'data', errors: 'html' })],
])('on %s', (_, start) => {
  let subject: Subject;
  let fixture: ReturnType<typeof createOperations>;
  beforeEach(async () => {
    subject = await start();
    fixture = createOperations(subject);
  });

  it('copies into new folders, and never to a folder or below a file', async () => {
    const { operations, at, events, put, stored } = fixture;
    await put({ from: 'x: ü\n', 'a/b': 'theirs' });
    expect(await operations.copy(at('from'), 'c/d/new.yaml')).toMatchObject({ ok: true });
    expect(events()).toEqual(['begin', 'c/d/new.yaml', 'end']);
    expect(await stored('c/d/new.yaml')).toBe(Buffer.from('x: ü\n').toString('latin1'));
    expect(await operations.copy(at('from'), 'a/b')).toMatchObject({ ok: false, kind: 'exists' });
    expect(await operations.copy(at('from'), 'a')).toMatchObject({
      kind: 'failed',
      sentence: 'a is a folder. Nothing was sent.',
    });
    expect(await operations.copy(at('from'), 'a/b/c')).toMatchObject({
      kind: 'failed',
      sentence: 'a/b is a file. Nothing was sent.',
    });
    expect(await stored('a/b')).toBe('theirs');
    expect(events()).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'end']);
  });

  it('copies every byte, and replaces a file only with consent', async () => {
    const { operations, at, events, put, stored, trash, web } = fixture;
    await put({ 'a.bin': bytesOf(binary), taken: 'theirs' });
    expect(await operations.copy(at('a.bin'), 'b/c.bin')).toMatchObject({
      sentence: 'Copied a.bin to b/c.bin.',
    });
    expect(events()).toEqual(['begin', 'b/c.bin', 'end']);
    expect([await stored('a.bin'), await stored('b/c.bin')]).toEqual([binary, binary]);
    expect(await operations.copy(at('a.bin'), 'taken')).toMatchObject({
      kind: 'exists',
      path: 'taken',
    });
    expect([await stored('taken'), events()]).toEqual(['theirs', ['begin', 'end']]);
    expect(await operations.copy(at('a.bin'), 'taken', { replace: true })).toMatchObject({
      ok: true,
    });
    expect(await stored('taken')).toBe(binary);
    expect((await lastBatch(trash, web.deploymentId, 'web'))[0]).toMatchObject({
      path: 'taken',
      reason: 'replaced',
    });
  });

  it('moves over a file only with consent, and can restore that file', async () => {
    const { operations, at, events, listed, put, stored, web } = fixture;
    await put({ 'a/b': 'mine', taken: 'theirs' });
    expect(await operations.move(at('a/b'), 'c/d')).toMatchObject({
      sentence: 'Moved a/b to c/d.',
    });
    expect(events()).toEqual(['begin', 'c/d', 'end']);
    expect(await operations.move(at('c/d'), 'taken')).toMatchObject({ kind: 'exists' });
    expect(await operations.move(at('c/d'), 'taken', { replace: true })).toMatchObject({
      ok: true,
    });
    expect([await listed(), await stored('taken')]).toEqual([['taken'], 'mine']);
    expect(sentenceOf(await operations.putBack(web))).toBe('Restored 2 files.');
    expect([await stored('c/d'), await stored('taken')]).toEqual(['mine', 'theirs']);
    expect(sentenceOf(await operations.putBack(web))).toBe('Restored a/b.');
    expect([await listed(), await stored('a/b')]).toEqual([['a/b', 'taken'], 'mine']);
    expect(sentenceOf(await operations.putBack(web))).toBe('The trash holds no file of web.');
  });

  it('moves a file back over another one only with consent', async () => {
    const { operations, at, put, stored, web } = fixture;
    await put({ a: 'mine' });
    await operations.move(at('a'), 'b');
    await put({ a: 'theirs' });
    expect(await operations.putBack(web)).toMatchObject({ kind: 'exists', path: 'a' });
    expect([await stored('a'), await stored('b')]).toEqual(['theirs', 'mine']);
    expect(await operations.putBack(web, { replace: new Set(['a']) })).toMatchObject({ ok: true });
    expect(await stored('a')).toBe('mine');
    await operations.putBack(web, { replace: new Set(['a']) });
    expect(await stored('a')).toBe('theirs');
  });

  it('restores a replaced file at once, unless it was changed since', async () => {
    const { operations, at, put, stored, web } = fixture;
    await put({ a: 'copied', b: 'first' });
    const replace = { replace: true };
    await operations.copy(at('a'), 'b', replace);
    expect(sentenceOf(await operations.putBack(web))).toBe('Restored b.');
    expect(await stored('b')).toBe('first');
    // An undo is undone in the same way.
    expect(sentenceOf(await operations.putBack(web))).toBe('Restored b.');
    expect(await stored('b')).toBe('copied');
    await put({ b: 'theirs' });
    expect(await operations.putBack(web)).toMatchObject({
      kind: 'exists',
      sentence: 'b changed on the service since. Nothing was sent.',
    });
    expect(await stored('b')).toBe('theirs');
    expect(await operations.putBack(web, { replace: new Set(['b']) })).toMatchObject({ ok: true });
    expect(await stored('b')).toBe('first');
    expect(sentenceOf(await operations.putBack(web))).toBe('Restored b.');
    expect(await stored('b')).toBe('theirs');
  });

  it('restores all deleted files of a batch, every byte, the newest batch first', async () => {
    const { operations, events, listed, put, stored, trash, web } = fixture;
    await put({ 'a/b.bin': bytesOf(binary), c: 'text', d: 'first', stays: '' });
    await operations.delete(web, ['d']);
    events();
    expect(await operations.delete(web, ['a/b.bin', 'c', 'c'])).toEqual({
      ok: true,
      sentence: 'Deleted 2 files of web. u undoes this.',
    });
    expect(events()).toEqual(['begin', 'a/b.bin', 'c', 'end']);
    expect(await listed()).toEqual(['stays']);
    expect((await lastBatch(trash, web.deploymentId, 'web')).map((entry) => entry.path)).toEqual([
      'c',
      'a/b.bin',
    ]);
    expect(sentenceOf(await operations.putBack(web))).toBe('Restored 2 files.');
    expect(events()).toEqual(['begin', 'c', 'a/b.bin', 'end']);
    expect([await stored('a/b.bin'), await stored('c')]).toEqual([binary, 'text']);
    expect(sentenceOf(await operations.putBack(web))).toBe('Restored d.');
    expect(sentenceOf(await operations.putBack(web))).toBe('The trash holds no file of web.');
  });

  it('reports a file that another console has restored in the meantime', async () => {
    const { operations, put, trash, web } = fixture;
    await put({ a: 'text' });
    await operations.delete(web, ['a']);
    const entries = await lastBatch(trash, web.deploymentId, 'web');
    await operations.putBack(web, { entries });
    expect(sentenceOf(await operations.putBack(web, { entries }))).toBe(
      'The change of a was undone in another hostdeck.',
    );
  });

  it('restores a file once when two consoles do it at the same time', async () => {
    const { operations, events, put, stored, trash, web } = fixture;
    const mark = Promise.resolve('1-unknown');
    const other = createOperations(
      subject,
      createTrashFolder(subject.stateFolder, 'http://here', undefined, mark),
    );
    await put({ a: 'text', b: 'text' });
    await operations.delete(web, ['a', 'b']);
    const entries = await lastBatch(trash, web.deploymentId, 'web');
    events();
    const outcomes = await Promise.all(
      [operations, other.operations].map((each) => each.putBack(web, { entries })),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    const restored = [...events(), ...other.events()].filter((event) => event.length === 1);
    expect(restored.sort()).toEqual(['a', 'b']);
    expect(await stored('a')).toBe('text');
    expect(await lastBatch(trash, web.deploymentId, 'web')).toEqual([]);
  });

  it('leaves out files of a batch that exist again, until they are named', async () => {
    const { operations, put, stored, trash, web } = fixture;
    await put({ a: 'old a', b: 'old b', c: 'old c', d: 'old d' });
    await operations.delete(web, ['a', 'b', 'c', 'd']);
    await put({ a: 'new a', b: 'new b', c: 'old c' });
    const outcome = await operations.putBack(web);
    expect(outcome).toMatchObject({
      ok: false,
      kind: 'exists',
      sentence: 'Restored d. 2 exist again or changed since, and were not replaced.',
      remaining: [{ path: 'b' }, { path: 'a' }],
    });
    expect([await stored('a'), await stored('d')]).toEqual(['new a', 'old d']);
    // The consent names one of them.
    const partly = await operations.putBack(web, { replace: new Set(['a']) });
    expect(partly).toMatchObject({
      kind: 'exists',
      sentence: 'Restored a. b exists again or changed since, and was not replaced.',
      remaining: [{ path: 'b' }],
    });
    expect([await stored('a'), await stored('b')]).toEqual(['old a', 'new b']);
    expect((await lastBatch(trash, web.deploymentId, 'web')).map((entry) => entry.path)).toEqual([
      'a',
    ]);
  });

  it('deletes a folder with all files below it and no others', async () => {
    const { operations, listed, put, web } = fixture;
    await put({ 'a/1': '', 'a/b/2': '', 'a/b/c/3': '', ab: '', 'x/a/4': '' });
    expect(sentenceOf(await operations.deleteFolder(web, 'a'))).toBe(
      'Deleted 3 files of web. u undoes this.',
    );
    expect([...(await listed())].sort()).toEqual(['ab', 'x/a/4']);
    expect(await operations.deleteFolder(web, 'a')).toMatchObject({ kind: 'failed' });
  });

  it('restores over a newer file only with consent for that path', async () => {
    const { operations, put, stored, web } = fixture;
    await put({ a: 'old', b: 'other' });
    await operations.delete(web, ['a']);
    await put({ a: 'new' });
    expect(await operations.putBack(web)).toMatchObject({ kind: 'exists', path: 'a' });
    // The consent is for a path other than the newest in the trash.
    expect(await operations.putBack(web, { replace: new Set(['b']) })).toMatchObject({
      kind: 'exists',
    });
    expect(await stored('a')).toBe('new');
    expect(await operations.putBack(web, { replace: new Set(['a']) })).toMatchObject({ ok: true });
    expect(await stored('a')).toBe('old');
  });

  it.each(['', '/', 'a//b', '../x', 'a/./b', 'a/', 'half\ud800'])(
    'sends nothing for the path %j',
    async (odd) => {
      const { operations, at, events, listed, put, web } = fixture;
      await put({ a: 'text' });
      const outcomes = [
        await operations.copy(at('a'), odd),
        await operations.move(at('a'), odd),
        await operations.delete(web, ['a', odd]),
      ];
      for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, kind: 'failed' });
      expect(events().filter((event) => event !== 'begin' && event !== 'end')).toEqual([]);
      expect(await listed()).toEqual(['a']);
    },
  );

  it('reports files that no longer exist', async () => {
    const { operations, at, put, web } = fixture;
    await put({ a: '' });
    expect(await operations.delete(web, ['gone'])).toMatchObject({ ok: false, path: 'gone' });
    expect(sentenceOf(await operations.delete(web, ['gone', 'a']))).toBe(
      'Deleted a. 1 of 2 was already gone. u undoes this.',
    );
    expect(await operations.move(at('gone'), 'x')).toMatchObject({ kind: 'failed' });
    expect(await operations.copy(at('gone'), 'x')).toMatchObject({ kind: 'failed' });
  });
});

describe('a deletion', () => {
  it('does not happen without a copy in the trash, unless the person agreed', async () => {
    const subject = await onForeign();
    await writeFile(path.join(subject.stateFolder, 'trash'), '');
    const { operations, events, listed, put, web } = createOperations(subject);
    await put({ a: '1', b: '2' });
    expect(await operations.delete(web, ['a', 'b'])).toMatchObject({
      kind: 'unkept',
      path: 'a',
      done: [],
      sentence: expect.stringContaining(
        "a was not deleted. Can't move a to the trash: a file is in the place of a folder",
      ),
    });
    expect(events()).toEqual(['begin', 'end']);
    expect(await listed()).toEqual(['a', 'b']);
    expect(sentenceOf(await operations.delete(web, ['a'], { unkept: true }))).toBe('Deleted a.');
    expect(await listed()).toEqual(['b']);
  });

  it('does not happen when the content is unavailable or ambiguous', async () => {
    const subject = await onForeign({ content: 'bare-envelope' });
    const { operations, listed, put, web } = createOperations(subject);
    await put({ 'a.json': '{"b":1}' });
    subject.service.failNext(1, { status: 403, method: 'GET' });
    expect(await operations.delete(web, ['a.json'])).toMatchObject({
      kind: 'failed',
      error: { code: 'forbidden' },
    });
    expect(await operations.delete(web, ['a.json'])).toMatchObject({ kind: 'unkept' });
    expect(await listed()).toEqual(['a.json']);
    expect(subject.service.writes().map(({ method }) => method)).toEqual(['POST']);
  });

  it('of several stops at the first failure, and reports the deleted ones', async () => {
    const subject = await onForeign({ pathForm: 'both' });
    const { operations, events, listed, put, trash, web } = createOperations(subject);
    await put({ a: '1', b: '2', c: '3' });
    const { files } = subject;
    let deletions = 0;
    const refusing = createOperations({
      ...subject,
      files: {
        ...files,
        delete(...asked) {
          deletions += 1;
          if (deletions === 2) subject.service.failNext(1, { status: 403, method: 'DELETE' });
          return files.delete(...asked);
        },
      },
    });
    const outcome = await refusing.operations.delete(web, ['a', 'b', 'c']);
    expect(outcome).toMatchObject({ kind: 'failed', path: 'b', done: ['a'] });
    expect(sentenceOf(outcome)).toMatch(
      /^Deleted 1 of 3 files, then stopped\. b was not deleted\. /,
    );
    expect(refusing.events()).toEqual(['begin', 'a', 'end']);
    expect(await listed()).toEqual(['b', 'c']);
    // The file that still exists has no entry that hides the restorable one.
    expect((await lastBatch(trash, web.deploymentId, 'web'))[0]).toMatchObject({ path: 'a' });
    expect(events()).toEqual([]);
    expect(await operations.putBack(web)).toMatchObject({ ok: true });
  });

  it('without an answer is unknown, reports no change and keeps the copy', async () => {
    const subject = await onForeign();
    const { operations, clock, events, put, stored, trash, web } = createOperations(subject);
    await put({ a: '1' });
    subject.service.failNext(1, { status: 504, method: 'DELETE' });
    const outcome = await operations.delete(web, ['a']);
    expect(outcome).toMatchObject({ kind: 'unknown', error: { unknownOutcome: true } });
    expect(sentenceOf(outcome)).toMatch(/^a may have been deleted\. /);
    expect(events()).toEqual(['begin', 'end']);
    const last = async () => (await lastBatch(trash, web.deploymentId, 'web'))[0]?.path;
    const unneeded = { ok: true, sentence: 'a is unchanged on the service. Nothing was sent.' };
    expect(await operations.putBack(web)).toEqual(unneeded);
    expect(await last()).toBe('a');
    await clock.advance(120_000);
    expect(await operations.putBack(web)).toEqual(unneeded);
    expect(await last()).toBeUndefined();
    expect(await stored('a')).toBe('1');
  });

  it('and its undo run one after the other', async () => {
    const subject = await onForeign();
    const { operations, events, put, stored, web } = createOperations(subject);
    await put({ a: '1' });
    const outcomes = await Promise.all([operations.delete(web, ['a']), operations.putBack(web)]);
    expect(outcomes.map(sentenceOf)).toEqual(['Deleted a. u undoes this.', 'Restored a.']);
    expect(events()).toEqual(['begin', 'begin', 'a', 'end', 'a', 'end']);
    expect(await stored('a')).toBe('1');
  });
});

describe('a write', () => {
  it('is an upload where the service has no PUT for new paths', async () => {
    const subject = await onForeign();
    const { operations, at, put, stored } = createOperations(subject);
    await put({ a: 'text' });
    subject.service.failNext(1, { status: 404, method: 'PUT' });
    expect(await operations.copy(at('a'), 'new')).toMatchObject({ ok: true });
    expect(subject.service.writes().map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST']);
    expect(await stored('new')).toBe('text');
  });

  it('is an upload where the text is larger than a PUT may be', async () => {
    const { operations, at, put, stored } = createOperations(await onHost());
    await put({ a: 'x'.repeat(101) });
    expect(await operations.copy(at('a'), 'new')).toMatchObject({ ok: true });
    expect(await stored('new')).toBe('x'.repeat(101));
  });

  it('without an answer is never retried as an upload', async () => {
    const subject = await onForeign();
    const { operations, at, events, put } = createOperations(subject);
    await put({ a: 'text' });
    subject.service.failNext(1, { status: 502, method: 'PUT' });
    const outcome = await operations.copy(at('a'), 'new');
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(sentenceOf(outcome)).toMatch(/^new may have been written\. /);
    expect(subject.service.writes().map(({ method }) => method)).toEqual(['POST', 'PUT']);
    expect(events()).toEqual(['begin', 'end']);
  });

  it('is not sent over a file that the listing omits', async () => {
    const subject = await onForeign();
    const { operations, at, put, stored } = createOperations(subject);
    await put({ a: 'mine', '.env': 'theirs' });
    subject.service.answerWith(`/api/v1/deployments/${subject.id}/services/web/files`, {
      files: [],
    });
    expect(await operations.copy(at('a'), '.env')).toMatchObject({ kind: 'exists' });
    expect(await stored('.env')).toBe('theirs');
  });

  it('is not sent when the check of the path fails', async () => {
    const subject = await onForeign();
    const { at, put } = createOperations(subject);
    await put({ a: 'text' });
    const outcome = await createOperations({
      ...subject,
      files: {
        ...subject.files,
        list(...asked) {
          subject.service.failNext(1, { status: 403, method: 'GET' });
          return subject.files.list(...asked);
        },
      },
    }).operations.copy(at('a'), 'new');
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'forbidden' } });
    expect(subject.service.writes().map(({ method }) => method)).toEqual(['POST']);
  });

  it('that was refused leaves no copy in the trash', async () => {
    const subject = await onForeign();
    const { operations, at, put, stored } = createOperations(subject);
    await put({ a: 'mine', b: 'theirs' });
    subject.service.failNext(1, { status: 403, method: 'PUT' });
    expect(await operations.copy(at('a'), 'b', { replace: true })).toMatchObject({
      kind: 'failed',
    });
    subject.service.failNext(1, { status: 403, method: 'PATCH' });
    expect(await operations.move(at('a'), 'b', { replace: true })).toMatchObject({
      kind: 'failed',
    });
    expect(await stored('b')).toBe('theirs');
    const folder = path.join(subject.stateFolder, 'trash');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toEqual([]);
  });

  it('of a move that fails after its target was deleted tells how to restore it', async () => {
    const subject = await onForeign();
    const { files } = subject;
    const { operations, at, events, put, stored, web } = createOperations({
      ...subject,
      files: {
        ...files,
        async delete(...asked) {
          const result = await files.delete(...asked);
          subject.service.failNext(1, { status: 403, method: 'PATCH' });
          return result;
        },
      },
    });
    await put({ a: 'mine', b: 'theirs' });
    const outcome = await operations.move(at('a'), 'b', { replace: true });
    expect(sentenceOf(outcome)).toMatch(/^b was deleted; u restores it\. a was not moved\. /);
    expect(events()).toEqual(['begin', 'b', 'end']);
    expect(await operations.putBack(web)).toMatchObject({ ok: true });
    expect([await stored('a'), await stored('b')]).toEqual(['mine', 'theirs']);
  });

  it('to the current path of the file is refused', async () => {
    const subject = await onForeign();
    const { operations, at, put } = createOperations(subject);
    await put({ a: '' });
    expect(await operations.move(at('a'), 'a', { replace: true })).toMatchObject({
      kind: 'failed',
    });
    expect(await operations.copy(at('a'), 'a', { replace: true })).toMatchObject({
      kind: 'failed',
    });
    expect(subject.service.writes()).toHaveLength(1);
  });
});

it('reports a damaged copy in the trash and sends nothing', async () => {
  const subject = await onForeign();
  const { operations, put, trash, web } = createOperations(subject);
  await put({ a: '1' });
  await operations.delete(web, ['a']);
  const { id = '' } = (await lastBatch(trash, web.deploymentId, 'web'))[0] ?? {};
  const root = path.join(subject.stateFolder, 'trash');
  const [below = ''] = await readdir(root);
  await writeFile(path.join(root, below, id), 'x', { flag: 'a' });
  expect(await operations.putBack(web)).toMatchObject({ kind: 'failed', path: 'a' });
  expect(subject.service.writes()).toHaveLength(2);
});
