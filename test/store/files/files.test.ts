import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { FileBody } from '../../../source/client/file-content.ts';
import type { FilesClient } from '../../../source/client/files.ts';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import type { FileRecord } from '../../../source/contract/files.ts';
import { unfoldedAtMost } from '../../../source/store/files/tree.ts';
import type { DraftsState } from '../../../source/store/drafts/drafts.ts';
import { createFiles } from '../../../source/store/files/files.ts';
import { createTestClock } from '../../support/clock.ts';
import { createRequests, failure, read, success, unexpected } from '../requests.ts';

const web = { deploymentId: 'shop', service: 'web' };
const api = { deploymentId: 'shop', service: 'api' };

const file = (path: string) => read<FileRecord>({ path });

function body(path: string, text: string): FileBody {
  return { path, text, bytes: new TextEncoder().encode(text), certainty: 'certain' };
}

function createFixture() {
  const clock = createTestClock(1000);
  const lists = createRequests<readonly DecodedRecord<FileRecord>[]>();
  const gets = createRequests<FileBody>();
  const client: FilesClient = {
    list: (id, service, signal) => lists.send([id, service], signal),
    get: (id, service, path, signal) => gets.send([id, service, path], signal),
    save: unexpected,
    update: unexpected,
    rename: unexpected,
    delete: unexpected,
    upload: unexpected,
  };
  const drafts = {
    state: createStore<DraftsState>(() => ({ drafts: new Map(), failures: new Map() })),
  };
  const files = createFiles({ client, clock, drafts });
  return { clock, lists, gets, drafts, files, state: () => files.state.getState() };
}

async function createListed(...paths: readonly string[]) {
  const fixture = createFixture();
  fixture.files.choose(web);
  await fixture.lists.last().answer(success(paths.map(file)));
  return fixture;
}

describe('a saved file', () => {
  it('is listed at once, and as the service lists it later', async () => {
    const { files, lists } = await createListed('a');
    const rows = () => files.list.state.getState().rows;
    files.noteSaved({ ...web, path: 'b' });
    expect(rows()).toEqual([file('a'), file('b')]);
    const sized = read<FileRecord>({ path: 'b', size: 5 });
    await lists.last().answer(success([sized, file('a')]));
    expect(rows()).toEqual([sized, file('a')]);
    files.noteSaved({ ...web, path: 'b' });
    expect(rows()).toEqual([sized, file('a')]);
    await lists.last().answer(success([file('a')]));
    expect(rows()).toEqual([file('a')]);
  });

  it('of another service is not listed here', async () => {
    const { files } = await createListed('a');
    files.noteSaved({ ...api, path: 'b' });
    expect(files.list.state.getState().rows).toEqual([file('a')]);
  });
});

describe('the place', () => {
  it('is listed when it is chosen', async () => {
    const { files, lists } = await createListed('a', 'b');
    expect(lists.last().asked).toEqual(['shop', 'web']);
    expect(files.list.state.getState().rows).toEqual([file('a'), file('b')]);
  });

  it('changes nothing when it is chosen again', async () => {
    const { files, lists, state } = await createListed('a/b');
    files.toggleFold('a');
    void files.open('a/b');
    const before = state();
    files.choose({ ...web });
    expect(state()).toBe(before);
    expect(lists.sent).toHaveLength(1);
  });

  it('clears rows, folds and the opened file when another is chosen', async () => {
    const { files, gets, lists, state } = await createListed('a/b');
    files.toggleFold('a');
    void files.open('a/b');
    files.choose(api);
    expect(gets.last().aborted).toBe(true);
    expect(state()).toMatchObject({ place: api, opened: undefined });
    expect(files.isFolded('a')).toBe(false);
    expect(files.list.state.getState().rows).toEqual([]);
    expect(lists.last().asked).toEqual(['shop', 'api']);
  });

  it('ignores a listing that arrives after another place was chosen', async () => {
    const { files, lists } = createFixture();
    files.choose(web);
    files.choose(api);
    const [ofWeb, ofApi] = lists.sent;
    await ofApi?.answer(success([file('api.ts')]));
    await ofWeb?.answer(success([file('web.ts')]));
    expect(files.list.state.getState()).toMatchObject({
      rows: [file('api.ts')],
      error: undefined,
    });
  });

  it('may be undefined: nothing is listed or opened', async () => {
    const { files, gets, lists, state } = await createListed('a');
    files.choose(undefined);
    await files.list.refresh();
    await files.open('a');
    expect(lists.sent).toHaveLength(1);
    expect(gets.sent).toEqual([]);
    expect(state()).toMatchObject({ place: undefined, opened: undefined });
    expect(files.list.state.getState().rows).toEqual([]);
  });
});

describe('folds', () => {
  const many = Array.from({ length: unfoldedAtMost + 1 }, (_, index) => `d/${index}`);

  it('start open in a tree of at most 200 files, closed in a larger one', async () => {
    const small = await createListed(...many.slice(1));
    expect(small.files.isFolded('d')).toBe(false);
    const large = await createListed(...many);
    expect(large.files.isFolded('d')).toBe(true);
  });

  it('count files only, not listed directories', async () => {
    const { files, lists } = createFixture();
    files.choose(web);
    const directories = many.map((path) => read<FileRecord>({ path, directory: true }));
    await lists.last().answer(success([...directories, file('a')]));
    expect(files.isFolded('d')).toBe(false);
  });

  it('stay unchanged when the tree grows or shrinks', async () => {
    const { files, lists } = await createListed('d/0');
    void files.list.refresh();
    await lists.last().answer(success(many.map(file)));
    expect(files.isFolded('d')).toBe(false);
  });

  it('are reset for the next place', async () => {
    const { files, lists } = await createListed(...many);
    files.choose(api);
    await lists.last().answer(success([file('d/0')]));
    expect(files.isFolded('d')).toBe(false);
  });

  it('toggle for a folder of any name', async () => {
    const { files } = await createListed('a/b');
    for (const path of ['a', '', '__proto__']) {
      files.toggleFold(path);
      expect(files.isFolded(path)).toBe(true);
      files.toggleFold(path);
      expect(files.isFolded(path)).toBe(false);
    }
  });
});

describe('the opened file', () => {
  it('has the time of its request, then its content', async () => {
    const { files, gets, state } = await createListed('a');
    const opening = files.open('a');
    expect(gets.last().asked).toEqual(['shop', 'web', 'a']);
    expect(state().opened).toEqual({
      ...web,
      path: 'a',
      body: undefined,
      error: undefined,
      loadingSince: 1000,
    });
    await gets.last().answer(success(body('a', 'text')));
    await opening;
    expect(state().opened).toMatchObject({ body: body('a', 'text'), loadingSince: undefined });
  });

  it('has the error of a failed request', async () => {
    const { files, gets, state } = await createListed('a');
    void files.open('a');
    const refusal = failure('not-found', { status: 404 });
    await gets.last().answer(refusal);
    expect(state().opened).toMatchObject({
      body: undefined,
      error: refusal.error,
      loadingSince: undefined,
    });
  });

  it('keeps its content while it is fetched again and after a failure', async () => {
    const { files, gets, state } = await createListed('a');
    void files.open('a');
    await gets.last().answer(success(body('a', 'text')));
    void files.open('a');
    expect(state().opened?.body).toEqual(body('a', 'text'));
    await gets.last().answer(failure('timeout'));
    expect(state().opened).toMatchObject({ body: body('a', 'text'), error: { code: 'timeout' } });
    void files.open('a');
    expect(state().opened?.error).toBeUndefined();
  });

  it('is the one opened last, in any order of answers', async () => {
    const { files, gets, state } = await createListed('a', 'b');
    void files.open('a');
    void files.open('b');
    const [ofA, ofB] = gets.sent;
    expect(ofA?.aborted).toBe(true);
    await ofB?.answer(success(body('b', 'B')));
    await ofA?.answer(success(body('a', 'A')));
    expect(state().opened).toMatchObject({ path: 'b', body: { text: 'B' }, error: undefined });
  });

  it('stays closed when its answer arrives after it was closed', async () => {
    const { files, gets, state } = await createListed('a');
    void files.open('a');
    files.close();
    expect(gets.last().aborted).toBe(true);
    await gets.last().answer(success(body('a', 'A')));
    expect(state().opened).toBeUndefined();
  });
});

describe('the rows of the tree', () => {
  const draft = (path: string, place = web) => [path, { ...place, path, at: 0 }] as const;

  it('include files that only have a draft, and keep their identity', async () => {
    const { files, drafts } = await createListed('a', 'b');
    const { rows } = files.list.state.getState();
    expect(files.drafted().rows).toBe(rows);
    drafts.state.setState({ drafts: new Map([draft('a'), draft('x/new')]) });
    const drafted = files.drafted();
    expect(drafted.rows.map(({ value }) => value.path)).toEqual(['a', 'b', 'x/new']);
    expect([...drafted.newPaths]).toEqual(['x/new']);
    drafts.state.setState({ drafts: new Map([draft('x/new')]) });
    expect(files.drafted().rows).toBe(drafted.rows);
    drafts.state.setState({ drafts: new Map([draft('other', api)]) });
    expect(files.drafted().rows).toBe(rows);
  });

  it('are not completed before the first list', () => {
    const { files, drafts } = createFixture();
    drafts.state.setState({ drafts: new Map([draft('a')]) });
    files.choose(web);
    expect(files.drafted().rows).toEqual([]);
  });
});
