import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FilesClient } from '../../../source/client/files.ts';
import { createLocalFiles } from '../../../source/disk/local-files.ts';
import type { FileRecord } from '../../../source/contract/files.ts';
import { digestOf } from '../../../source/store/drafts/digest.ts';
import type { PendingRestart } from '../../../source/store/restarts/journal.ts';
import { resolveIntents } from '../../../source/store/restarts/resolve-intents.ts';
import { createUploads } from '../../../source/store/transfers/uploads.ts';
import type { UploadItem } from '../../../source/store/transfers/upload-plan.ts';

import { createFixture } from '../restarts/restarts-fixture.ts';
import { done, failure } from '../requests.ts';

const place = { deploymentId: 'shop', service: 'web' };
const ours = 'ours!';

/** The service's files by path. */
type Stored = ReadonlyMap<string, string>;

/** Reads the files of a service, whose lists tell sizes or only paths. */
function filesOf(stored: Stored, hasSizes = true): Pick<FilesClient, 'list' | 'get'> {
  return {
    async list() {
      const records = Array.from(stored, ([path, text]): FileRecord => {
        return hasSizes ? { path, size: text.length } : { path };
      });
      return { ok: true, value: records.map((value) => ({ value, unknown: {} })) };
    },
    async get(_deployment, _service, path) {
      const text = stored.get(path);
      if (text === undefined) return failure('not-found', { status: 404 });
      return { ok: true, value: { path, text, bytes: Buffer.from(text), certainty: 'certain' } };
    },
  };
}

/** The end of the last request; a killed program has no answer. */
type End = 'done' | 'refused' | 'lost' | 'killed';

/** Uploads files of one request up to its end. Returns the journal as it is on disk then. */
async function uploaded(items: readonly Pick<UploadItem, 'path' | 'size'>[], end: End) {
  const { restarts, journal, clock } = createFixture();
  const requested = Promise.withResolvers<readonly PendingRestart[]>();
  const uploads = createUploads({
    client: {
      ...filesOf(new Map()),
      async upload() {
        requested.resolve(journal.at(-1) ?? []);
        if (end === 'done') return done;
        if (end === 'killed') return new Promise(() => {});
        const isLost = end === 'lost';
        return failure(isLost ? 'disconnected' : 'invalid', { unknownOutcome: isLost });
      },
    },
    local: { ...createLocalFiles('linux'), digest: () => digestOf(Buffer.from(ours)) },
    clock,
    trash: { put: () => Promise.reject(new Error('unexpected')) },
    writes: restarts,
  });
  const planned = items.map((item) => ({ ...item, file: `/${item.path}`, replaces: undefined }));
  const plan = { place, target: '', items: planned, leftOut: [] };
  const sending = uploads.send(plan, 'replace');
  const before = await requested.promise;
  if (end !== 'killed') await sending;
  restarts.stop();
  return { before, left: journal.at(-1) ?? [] };
}

const named = (count: number, size = ours.length) =>
  Array.from({ length: count }, (_, index) => ({ path: `f${index}`, size }));

it.each(['done', 'refused', 'lost', 'killed'] as const)(
  'an upload is noted before it is sent, and stays noted without an answer: %s',
  async (end) => {
    const { before, left } = await uploaded(named(3), end);
    const intended = { deploymentId: 'shop', state: 'intended', files: { length: 3 } };
    expect(before).toMatchObject([intended]);
    if (end === 'done') expect(left).toMatchObject([{ state: 'counting', files: { length: 3 } }]);
    else if (end === 'refused') expect(left).toEqual([]);
    else expect(left).toMatchObject([intended]);
  },
);

it('the next start finds exactly the files that arrived', async () => {
  const contents = fc.constantFrom(ours, 'other', 'longer text', undefined);
  await fc.assert(
    fc.asyncProperty(
      fc.array(contents, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      async (texts, hasSizes) => {
        const { left } = await uploaded(named(texts.length), 'killed');
        const stored = texts.flatMap((text, at) =>
          text === undefined ? [] : [[`f${at}`, text] as const],
        );
        const { restarts, of } = createFixture({ owed: left });
        const sentences = await resolveIntents(restarts, filesOf(new Map(stored), hasSizes));
        const arrived = stored.filter(([, text]) => text === ours);
        expect(of('shop')?.changes?.files ?? []).toEqual(
          arrived.map(([path]) => ({ service: 'web', path })),
        );
        expect(sentences).toHaveLength(1);
        expect(sentences[0]).toContain(arrived.length === 0 ? 'not uploaded' : 'pending');
        expect(restarts.leftIntents()).toEqual([]);
      },
    ),
  );
});

it('of many files some are read, and the others are known by their sizes', async () => {
  const count = 1000;
  const { left } = await uploaded(named(count), 'killed');
  expect(left[0]?.files.filter(({ digest }) => digest !== undefined)).toHaveLength(20);
  const half = new Map(named(count / 2).map(({ path }) => [path, ours]));
  const before = new Map(named(count).map(({ path }) => [path, 'older']));
  for (const [stored, sentence] of [
    [
      half,
      '500 of 1000 files of shop were uploaded just before hostdeck was ended; their restart is pending.',
    ],
    // Files of the same sizes, but of another content, are not the uploaded ones.
    [before, '1000 files of shop were not uploaded when hostdeck was ended, or changed since.'],
  ] as const) {
    const { restarts } = createFixture({ owed: left });
    expect(await resolveIntents(restarts, filesOf(stored))).toEqual([sentence]);
  }
});

it('a file too large to be read twice is known by its size', async () => {
  const size = 5 * 2 ** 20;
  const { left } = await uploaded([{ path: 'f0', size }], 'killed');
  expect(left[0]?.files).toEqual([{ service: 'web', path: 'f0', size, digest: undefined }]);
  const { restarts } = createFixture({ owed: left });
  const stored = new Map([['f0', 'x'.repeat(size)]]);
  expect(await resolveIntents(restarts, filesOf(stored))).toEqual([
    'f0 of shop was uploaded just before hostdeck was ended; its restart is pending.',
  ]);
});

it('asks again at the next start where the service gives no answer', async () => {
  const { left } = await uploaded(named(2), 'killed');
  const { restarts } = createFixture({ owed: left });
  const list = async () => failure('timeout', { unknownOutcome: false });
  expect(await resolveIntents(restarts, { ...filesOf(new Map()), list })).toEqual([
    "Can't tell whether 2 files of shop were uploaded when hostdeck was ended. The next start asks again.",
  ]);
  expect(restarts.leftIntents()).toHaveLength(1);
});
