import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FilesClient } from '../../../source/client/files.ts';
import type { PendingRestart } from '../../../source/store/restarts/journal.ts';
import { resolveIntents } from '../../../source/store/restarts/resolve-intents.ts';
import { done, failure } from '../requests.ts';
import { config, createFixture } from './restarts-fixture.ts';

const place = { deploymentId: 'shop', ...config };
const ours = Buffer.from('ours');
const written = (content: Uint8Array) => ({ kind: 'written', content }) as const;

/** Answers with the content of the file; undefined for a file that is not there. */
function filesWith(content: string | undefined): Pick<FilesClient, 'list' | 'get'> {
  return {
    list: () => Promise.reject(new Error('unexpected')),
    async get() {
      if (content === 'no answer') return failure('timeout', { unknownOutcome: false });
      if (content === undefined) return failure('not-found', { status: 404 });
      const bytes = Buffer.from(content);
      return {
        ok: true,
        value: { path: 'config.yaml', bytes, text: content, certainty: 'certain' },
      };
    },
  };
}

/** The points of a save at which the program can be killed. */
const points = [
  'before the request',
  'before the answer',
  'after the answer',
  'at the end',
] as const;

/** Saves a file up to a point. Returns the journal as it is on disk then, and the service's file. */
async function killed(at: (typeof points)[number]) {
  const { restarts, journal } = createFixture();
  await restarts.intend(place, written(ours));
  const end = restarts.operation('shop');
  const isSent = at !== 'before the request';
  if (at === 'after the answer' || at === 'at the end') await restarts.fileChanged(place);
  if (at === 'at the end') end();
  restarts.stop();
  return { left: journal.at(-1) ?? [], content: isSent ? 'ours' : 'theirs' };
}

it.each(points)(
  'a program that is killed %s leaves a restart exactly if the file was saved',
  async (at) => {
    const { left, content } = await killed(at);
    const { restarts, of, sent } = createFixture({ owed: left });
    const sentences = await resolveIntents(restarts, filesWith(content));
    const isSaved = at !== 'before the request';
    expect(of('shop')).toEqual(
      isSaved
        ? expect.objectContaining({
            kind: 'owed',
            changes: expect.objectContaining({ files: [config] }),
          })
        : undefined,
    );
    expect(sentences).toHaveLength(
      at === 'before the request' || at === 'before the answer' ? 1 : 0,
    );
    expect(sent()).toEqual([]);
    expect(restarts.leftIntents()).toEqual([]);
  },
);

it('says what was found, and asks again where the service gives no answer', async () => {
  const { left } = await killed('before the answer');
  for (const [content, sentence] of [
    [
      'ours',
      'config.yaml of shop was saved just before hostdeck was ended; its restart is pending.',
    ],
    ['theirs', 'config.yaml of shop was not saved when hostdeck was ended, or has changed since.'],
    [undefined, 'config.yaml of shop was not saved when hostdeck was ended, or has changed since.'],
    [
      'no answer',
      "Can't tell whether config.yaml of shop was saved when hostdeck was ended. The next start asks again.",
    ],
  ] as const) {
    const { restarts, journal, of } = createFixture({ owed: left });
    expect(await resolveIntents(restarts, filesWith(content))).toEqual([sentence]);
    expect(restarts.leftIntents()).toHaveLength(content === 'no answer' ? 1 : 0);
    expect(of('shop')?.kind).toBe(content === 'ours' ? 'owed' : undefined);
    expect(journal.at(-1)?.map(({ state }) => state)).toEqual(
      content === 'ours' ? ['counting'] : content === 'no answer' ? undefined : [],
    );
  }
});

it('adds a saved file to the restart that the same run left', async () => {
  const { left } = await killed('before the answer');
  const earlier: PendingRestart = {
    deploymentId: 'shop',
    name: 'shop',
    files: [{ service: 'web', path: 'index.html' }],
    state: 'failed',
    since: 1,
  };
  const { restarts, of } = createFixture({ owed: [earlier, ...left] });
  await resolveIntents(restarts, filesWith('ours'));
  expect(of('shop')).toMatchObject({ kind: 'owed', entry: { state: 'failed', since: 1 } });
  expect(of('shop')?.changes?.files).toHaveLength(2);
});

it('a write that was refused or answered leaves no intent; one without an answer does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('saved', 'refused', 'lost'))),
      async (writes) => {
        const { restarts, journal } = createFixture({ delay: 'off' });
        const open = new Set<string>();
        for (const [path, end] of writes) {
          const file = { ...place, path };
          await restarts.intend(file, written(Buffer.from(path)));
          if (end === 'saved') await restarts.fileChanged(file);
          else if (end === 'refused') restarts.notChanged(file);
          if (end === 'lost') open.add(path);
          else open.delete(path);
        }
        const left = (journal.at(-1) ?? []).filter(({ state }) => state === 'intended');
        expect(new Set(left.map(({ files: [file] }) => file?.path))).toEqual(open);
      },
    ),
  );
});

it('a save that begins while an earlier intent is looked up keeps its own', async () => {
  const { left } = await killed('before the answer');
  const { restarts, journal } = createFixture({ owed: left });
  await resolveIntents(restarts, {
    ...filesWith('theirs'),
    async get(...asked) {
      await restarts.intend(place, written(Buffer.from('newer')));
      return await filesWith('theirs').get(...asked);
    },
  });
  expect(journal.at(-1)).toMatchObject([{ state: 'intended' }]);
});

it('a save that begins while a restart is sent keeps its intent', async () => {
  const { restarts, requests, journal } = createFixture({ delay: 'off' });
  await restarts.intend(place, written(ours));
  restarts.restart('shop');
  await restarts.intend(place, written(Buffer.from('newer')));
  await requests.last().answer({ ok: true, value: undefined });
  expect(journal.at(-1)).toMatchObject([{ state: 'intended' }]);
});

it('finds the write of one of two consoles that intended different contents of a file', async () => {
  const { left } = await killed('before the answer');
  const other = createFixture();
  await other.restarts.intend(place, written(Buffer.from('of another console')));
  const { restarts, of } = createFixture({ owed: [...left, ...(other.journal.at(-1) ?? [])] });
  expect(await resolveIntents(restarts, filesWith('ours'))).toHaveLength(1);
  expect(of('shop')?.kind).toBe('owed');
  expect(restarts.leftIntents()).toEqual([]);
});

it('says nothing of an intent that a save of this run has replaced meanwhile', async () => {
  const { left } = await killed('before the answer');
  const { restarts } = createFixture({ owed: left });
  const files = filesWith('saved now');
  const sentences = await resolveIntents(restarts, {
    ...files,
    async get(...address) {
      await restarts.fileChanged(place);
      return files.get(...address);
    },
  });
  expect(sentences).toEqual([]);
});

it('keeps the intent of a write that was sent before a restart was answered', async () => {
  const { restarts, journal, requests } = createFixture();
  await restarts.intend(place, written(ours));
  const end = restarts.operation('shop');
  restarts.restart('shop');
  await requests.last().answer(done);
  expect(journal.at(-1)).toMatchObject([{ state: 'intended' }]);
  end();
  restarts.restart('shop');
  await restarts.intend(place, written(Buffer.from('a later save')));
  await requests.last().answer(done);
  expect(journal.at(-1)).toMatchObject([{ state: 'intended' }]);
  restarts.restart('shop');
  await requests.last().answer(done);
  expect(journal.at(-1)).toEqual([]);
});

it('drops the intents of a deployment that was closed', async () => {
  const { restarts, journal } = createFixture();
  await restarts.intend(place, written(ours));
  restarts.forget('shop');
  expect(journal.at(-1)).toEqual([]);
});

/** Answers for a service that has these files. */
function serviceWith(...paths: readonly string[]): Pick<FilesClient, 'list' | 'get'> {
  return {
    ...filesWith(undefined),
    async get(_deployment, _service, path) {
      return filesWith(paths.includes(path) ? 'any' : undefined).get('shop', 'web', path);
    },
  };
}

it.each([
  [
    'deleted',
    [],
    'config.yaml of shop was deleted just before hostdeck was ended; its restart is pending.',
  ],
  [
    'deleted',
    ['config.yaml'],
    'config.yaml of shop was not deleted when hostdeck was ended, or has changed since.',
  ],
  [
    'moved',
    ['config.yaml'],
    'old.yaml of shop was moved to config.yaml just before hostdeck was ended; its restart is pending.',
  ],
  [
    'moved',
    ['old.yaml'],
    'old.yaml of shop was not moved to config.yaml when hostdeck was ended, or has changed since.',
  ],
  [
    'moved',
    ['old.yaml', 'config.yaml'],
    'old.yaml of shop was not moved to config.yaml when hostdeck was ended, or has changed since.',
  ],
  [
    'moved',
    [],
    'old.yaml of shop was not moved to config.yaml when hostdeck was ended, or has changed since.',
  ],
] as const)(
  'finds whether a file was %s where the service has %j',
  async (kind, paths, sentence) => {
    const first = createFixture();
    await first.restarts.intend(place, kind === 'deleted' ? { kind } : { kind, from: 'old.yaml' });
    const { restarts, of } = createFixture({ owed: first.journal.at(-1) ?? [] });
    expect(await resolveIntents(restarts, serviceWith(...paths))).toEqual([sentence]);
    const hasHappened = sentence.includes('pending');
    expect(of('shop')?.changes?.files).toEqual(hasHappened ? [config] : undefined);
    expect(restarts.leftIntents()).toEqual([]);
  },
);

it('asks again where the earlier path of a moved file can not be read', async () => {
  const first = createFixture();
  await first.restarts.intend(place, { kind: 'moved', from: 'old.yaml' });
  const { restarts } = createFixture({ owed: first.journal.at(-1) ?? [] });
  const files: Pick<FilesClient, 'list' | 'get'> = {
    ...filesWith(undefined),
    get: async (_deployment, _service, path) =>
      filesWith(path === 'old.yaml' ? 'no answer' : 'any').get('shop', 'web', path),
  };
  expect(await resolveIntents(restarts, files)).toEqual([
    "Can't tell whether old.yaml of shop was moved to config.yaml when hostdeck was ended. The next start asks again.",
  ]);
  expect(restarts.leftIntents()).toHaveLength(1);
});

it('finds the change of one of two consoles that wrote and deleted a file', async () => {
  const [one, other] = [createFixture(), createFixture()];
  await one.restarts.intend(place, written(ours));
  await other.restarts.intend(place, { kind: 'deleted' });
  const { restarts, of } = createFixture({
    owed: [...(one.journal.at(-1) ?? []), ...(other.journal.at(-1) ?? [])],
  });
  expect(await resolveIntents(restarts, filesWith(undefined))).toEqual([
    expect.stringContaining('was deleted just before'),
  ]);
  expect(of('shop')?.kind).toBe('owed');
  expect(restarts.leftIntents()).toEqual([]);
});
