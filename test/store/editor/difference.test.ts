import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../source/client/client.ts';
import { createDifference } from '../../../source/store/editor/difference.ts';
import { createDrafts } from '../../../source/store/drafts/drafts.ts';
import { createEditor } from '../../../source/store/editor/editor.ts';
import type { LocalPlace } from '../../../source/store/drafts/places.ts';
import { type ForeignOptions, startForeign } from '../../servers/foreign.ts';
import { systemClock } from '../../support/system-clock.ts';
import { temporaryKept } from '../../support/temporary-state.ts';

const look = { show: (cluster: string) => cluster, measure: (shown: string) => shown.length };

/** Creates a difference store with an editor, on a service with these texts. */
async function open(
  texts: Readonly<Record<string, string | Buffer>>,
  options?: Partial<ForeignOptions>,
) {
  const foreign = await startForeign(options);
  const client = createClient({ baseUrl: foreign.baseUrl, token: foreign.token });
  onTestFinished(async () => {
    await client.close();
    await foreign.close();
  });
  for (const [path, text] of Object.entries(texts)) foreign.put(foreign.sample, 'web', path, text);
  const kept = temporaryKept();
  const drafts = createDrafts({ keeper: kept.drafts, clock: systemClock });
  const editor = createEditor({
    locks: kept.locks,
    onTakenOver() {},
    client: client.files,
    create: async () => Promise.reject(new Error('nothing is created here')),
    readSdl: async () => Promise.reject(new Error('no definition is opened here')),
    clock: systemClock,
    drafts,
    trash: kept.trash,
    writes: {
      intend: async () => {},
      notChanged() {},
      operation: () => () => {},
      fileChanged: async () => {},
    },
    onSaved() {},
    onOutcome() {},
  });
  const difference = createDifference({ client: client.files, clock: systemClock, drafts, editor });
  const place = (path: string): LocalPlace => ({
    deploymentId: foreign.sample,
    service: 'web',
    path,
  });
  return {
    foreign,
    drafts,
    editor,
    difference,
    place,
    /** Stores a draft of a file, like an earlier console. */
    leaveDraft: async (path: string, text: string) => {
      drafts.typed(place(path), () => ({ text, base: '' }));
      await drafts.flush();
    },
  };
}

test('a draft is compared with the current file on the service', async () => {
  const { foreign, difference, place, leaveDraft } = await open({ 'a.txt': 'one\ntwo\n' });
  await leaveDraft('a.txt', 'one\ntwo and more\n');
  foreign.put(foreign.sample, 'web', 'a.txt', 'zero\none\ntwo\n');
  const opened = await difference.ofDraft(place('a.txt'));
  expect(opened).toMatchObject({
    kind: 'shown',
    difference: {
      before: expect.stringMatching(/^service at \d\d:\d\d:\d\d$/),
      after: expect.stringMatching(/^draft of \d\d:\d\d:\d\d$/),
      comparison: { counts: { added: 1, removed: 2 }, rough: false },
    },
  });
  expect(difference.state.getState().shown).toBeUndefined();
  expect(foreign.writes()).toEqual([]);
});

test("the open editor's text is compared instead of its draft", async () => {
  const { difference, editor, place } = await open({ 'a.txt': 'one\n' });
  await editor.open(place('a.txt'), look);
  editor.act((text) => text.insert('zero '));
  const opened = await difference.ofDraft(place('a.txt'));
  if (opened.kind !== 'shown') throw new Error(`nothing to show: ${opened.kind}`);
  expect(opened.difference.after).toBe('your text in the editor');
  expect(opened.difference.comparison.unified().rows).toMatchObject([
    { kind: 'removed', text: 'one' },
    { kind: 'added', text: 'zero one' },
  ]);
  editor.close();
});

test('without a draft no request is sent', async () => {
  const { foreign, difference, place } = await open({ 'config/a.txt': 'one\n' });
  const before = foreign.requests.length;
  expect(await difference.ofDraft(place('config/a.txt'))).toEqual({
    kind: 'none',
    sentence: 'No draft of a.txt.',
    failed: false,
  });
  expect(foreign.requests).toHaveLength(before);
});

test('a draft equal to the file shows no difference', async () => {
  const { difference, place, leaveDraft } = await open({ 'a.txt': 'one\n' });
  await leaveDraft('a.txt', 'one\n');
  expect(await difference.ofDraft(place('a.txt'))).toMatchObject({
    kind: 'none',
    sentence: 'No difference: the service already has your a.txt.',
    failed: false,
  });
});

test('a missing, binary or too long file is reported', async () => {
  const { difference, place, leaveDraft } = await open({
    'binary.png': Buffer.from([0x89, 0x50, 0, 1, 2, 0xff]),
    'long.txt': 'x\n'.repeat(300_001),
  });
  for (const path of ['gone.txt', 'binary.png', 'long.txt']) await leaveDraft(path, 'mine\n');
  expect(await difference.ofDraft(place('gone.txt'))).toEqual({
    kind: 'none',
    sentence: expect.stringMatching(/not found \(404\)\. It may no longer exist\.$/),
    failed: true,
  });
  expect(await difference.ofDraft(place('binary.png'))).toEqual({
    kind: 'none',
    sentence: "binary.png is binary on the service and can't be compared.",
    failed: true,
  });
  expect(await difference.ofDraft(place('long.txt'))).toEqual({
    kind: 'none',
    sentence: 'long.txt has more than 300,000 lines, too many to compare.',
    failed: true,
  });
});

test('a failed request is reported with the next step', async () => {
  const { foreign, difference, place, leaveDraft } = await open({ 'a.txt': 'one\n' });
  await leaveDraft('a.txt', 'two\n');
  foreign.failNext(20, { status: 403, method: 'GET' });
  expect(await difference.ofDraft(place('a.txt'))).toEqual({
    kind: 'none',
    sentence: expect.stringMatching(/403\)\. Ask the owner for access, or use another token\.$/),
    failed: true,
  });
});

test('only the last comparison is shown', async () => {
  const { difference, place, leaveDraft } = await open({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  await leaveDraft('a.txt', 'two\n');
  await leaveDraft('b.txt', 'three\n');
  const [first, second] = await Promise.all([
    difference.ofDraft(place('a.txt')),
    difference.ofDraft(place('b.txt')),
  ]);
  expect(first).toEqual({ kind: 'superseded' });
  expect(second).toMatchObject({ kind: 'shown', difference: { place: { path: 'b.txt' } } });
});

test('unrelated texts are compared roughly and marked so', async () => {
  const { difference, place, leaveDraft } = await open({
    'a.txt': Array.from({ length: 3000 }, (_, line) => `a ${line}\n`).join(''),
  });
  await leaveDraft('a.txt', Array.from({ length: 3000 }, (_, line) => `b ${line}\n`).join(''));
  expect(await difference.ofDraft(place('a.txt'))).toMatchObject({
    kind: 'shown',
    difference: { comparison: { rough: true, counts: { added: 3000, removed: 3000 } } },
  });
});
