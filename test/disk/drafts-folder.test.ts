import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, stat, symlink, watch, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDraftsFolder } from '../../source/disk/drafts-folder.ts';
import type { Draft } from '../../source/store/drafts/drafts.ts';
import { killAtOnce, startFixture } from '../support/killed-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codePoint } from '../support/code-point.ts';

const service = 'http://here';
/** Marks of consoles that run no more: no process has this id. */
const gone = ['4194305-0123456789ab', '4194306-0123456789ab'].map((mark) => Promise.resolve(mark));
const [firstGone, secondGone] = gone;
/** Init runs for as long as anything does. */
const running = Promise.resolve('1-unknown');

let state: string;

beforeEach(() => {
  state = temporaryFolder();
});

const place = { deploymentId: 'd', service: 'web', path: 'config/app.yaml' };

function draft(more: Partial<Draft> = {}): Draft {
  return { ...place, text: 'a: 1\n', base: 'a: 0\n', at: 1000, ...more };
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((e) => e.isFile()).map((e) => path.join(e.parentPath, e.name));
}

/** Waits for so many changes in a folder: a file made, written or renamed. */
async function changesOf(folder: string, count: number): Promise<void> {
  let seen = 0;
  if (count === 0) return;
  for await (const _ of watch(folder)) {
    seen += 1;
    if (seen === count) return;
  }
}

it('removes only the draft of an exited console that was read last', async () => {
  const next = createDraftsFolder(state, service, running);
  await createDraftsFolder(state, service, firstGone).write(draft({ text: 'first', at: 1000 }));
  expect(await next.read(place)).toMatchObject({ text: 'first' });
  await createDraftsFolder(state, service, secondGone).write(draft({ text: 'second', at: 2000 }));
  expect(await next.read(place)).toMatchObject({ text: 'second' });
  await next.write(draft({ text: 'second and more', at: 3000 }));
  await next.remove(place);
  expect(await next.read(place)).toMatchObject({ text: 'first' });
});

describe('the draft of a new deployment', () => {
  const newDraft = { newDeployment: '7', text: 'a: 1\n', base: '', at: 5 };

  it('is kept beside those of files, with when it was sent', async () => {
    const keeper = createDraftsFolder(state, service, firstGone);
    await keeper.write(draft());
    await keeper.write({ ...newDraft, newDeployment: '8' });
    await keeper.write({ ...newDraft, sentAt: 4 });
    const next = createDraftsFolder(state, service, secondGone);
    expect(await next.read({ newDeployment: '7' })).toMatchObject({ ...newDraft, sentAt: 4 });
    const heads = await next.list();
    expect(heads).toHaveLength(3);
    expect(heads).toContainEqual({ newDeployment: '7', at: 5, sentAt: 4 });
    expect(heads).toContainEqual({ newDeployment: '8', at: 5 });
  });

  it('that another console left goes with it', async () => {
    await createDraftsFolder(state, service, firstGone).write(newDraft);
    const next = createDraftsFolder(state, service, secondGone);
    await next.read({ newDeployment: '7' });
    expect(await next.remove({ newDeployment: '7' })).toEqual({ ok: true });
    expect(await next.list()).toEqual([]);
  });

  it('is called what it is where it cannot be kept', async () => {
    await writeFile(path.join(state, 'drafts'), 'a file');
    const kept = await createDraftsFolder(state, service).write(newDraft);
    expect(kept).toMatchObject({
      ok: false,
      sentence: expect.stringMatching(/^Can't save the draft of the new deployment: /),
    });
  });
});

describe('a draft', () => {
  it('is there after the next start, whatever its text and its place', async () => {
    const text = fc.string({ unit: codePoint, maxLength: 20 });
    const loneHalf = fc.constantFrom('\ud800', 'a\udc00b', '../../x', 'x'.repeat(5000));
    const any = fc.oneof(text, loneHalf);
    // Texts are what was read from UTF-8.
    const long = fc.constantFrom('\u{feff}a', `a${'🦊'.repeat(2 ** 17)}`);
    const wellFormed = fc.oneof(text, long).map((one) => one.toWellFormed());
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          deploymentId: any,
          service: any,
          path: any,
          text: wellFormed,
          base: fc.option(wellFormed, { nil: undefined }),
          at: fc.nat(),
        }),
        async (one) => {
          const folder = path.join(state, 'any');
          expect(await createDraftsFolder(folder, service).write(one)).toEqual({ ok: true });
          expect(await createDraftsFolder(folder, service).read(one)).toEqual(one);
          await createDraftsFolder(folder, service).remove(one);
          expect(await createDraftsFolder(folder, service).list()).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('can be read by its owner only', async () => {
    const folder = path.join(state, 'new');
    await createDraftsFolder(folder, service).write(draft());
    const [file = ''] = await filesBelow(folder);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (let above = path.dirname(file); above !== state; above = path.dirname(above)) {
      expect((await stat(above)).mode & 0o777).toBe(0o700);
    }
  });

  it('belongs to one service, deployment and file', async () => {
    const here = createDraftsFolder(state, service);
    await here.write(draft());
    expect(await createDraftsFolder(state, 'http://there').list()).toEqual([]);
    for (const other of [{ path: 'x' }, { service: 'x' }, { deploymentId: 'x' }]) {
      expect(await here.read({ ...place, ...other })).toBeUndefined();
    }
    expect(await here.list()).toEqual([{ ...place, at: 1000 }]);
  });

  it('is listed when the machine is out of descriptors for a moment', async () => {
    await createDraftsFolder(state, service, firstGone).write(draft());
    const fixture = path.resolve(import.meta.dirname, '../fixtures/read-without-descriptors.ts');
    const command = 'ulimit -n 64; exec "$0" "$@"';
    const run = spawnSync('sh', ['-c', command, process.execPath, fixture, state], {
      encoding: 'utf8',
    });
    expect(run.stdout).toBe('1 drafts\n');
  });

  it('is whole after a kill at any moment, the older or the newer one', async () => {
    for (let round = 0; round < 8; round += 1) {
      const folder = path.join(state, String(round));
      const child = await startFixture('write-drafts.ts', folder);
      const [file = ''] = await filesBelow(folder);
      await changesOf(path.dirname(file), round);
      await killAtOnce(child);
      const keeper = createDraftsFolder(folder, service);
      expect(await keeper.list()).toHaveLength(1);
      const kept = await keeper.read({ deploymentId: 'd', service: 'web', path: 'a' });
      const letter = String.fromCharCode(0x61 + ((kept?.at ?? 0) % 26));
      expect(kept?.text === letter.repeat(3_000_000)).toBe(true);
      expect(await filesBelow(folder)).toHaveLength(1);
    }
  });

  it('that cannot be written says why and leaves the one before', async () => {
    const keeper = createDraftsFolder(state, service);
    await keeper.write(draft());
    const [file = ''] = await filesBelow(state);
    const folder = path.dirname(file);
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    expect(await keeper.write(draft({ text: 'new' }))).toEqual({
      ok: false,
      sentence: `Can't save the draft of app.yaml: a file is in the place of a folder (${folder}).`,
    });
    expect(await keeper.list()).toEqual([]);
  });
});

describe('several consoles', () => {
  it('in one file keep a draft each; one reads its own, and another only without one', async () => {
    const own = createDraftsFolder(state, service);
    const other = createDraftsFolder(state, service, running);
    await own.write(draft({ text: 'own' }));
    await other.write(draft({ text: 'other', at: 2000 }));
    expect(await own.list()).toEqual([{ ...place, at: 2000 }]);
    expect(await own.read(place)).toMatchObject({ text: 'own' });
    await own.write(draft({ text: 'own again', at: 3000 }));
    await own.remove(place);
    expect(await own.read(place)).toMatchObject({ text: 'other' });
  });

  it('lose nothing in turn: what was read before and typed on replaces no other text', async () => {
    const own = createDraftsFolder(state, service);
    const other = createDraftsFolder(state, service, running);
    await own.write(draft({ text: 'own' }));
    await other.write(draft({ text: 'other', at: 2000 }));
    const read = await own.read(place);
    await own.write(draft({ text: `${read?.text}, typed on`, at: 3000 }));
    await other.remove(place);
    expect(await own.read(place)).toMatchObject({ text: 'own, typed on' });
  });

  it('that run no more leave drafts that the next one takes over by reading', async () => {
    await createDraftsFolder(state, service, firstGone).write(draft({ text: 'old' }));
    await createDraftsFolder(state, service, secondGone).write(draft({ text: 'new', at: 2000 }));
    const own = createDraftsFolder(state, service);
    await own.remove(place);
    expect(await own.read(place)).toMatchObject({ text: 'new' });
    await own.write(draft({ text: 'newer', at: 3000 }));
    expect(await filesBelow(state)).toHaveLength(2);
    await own.remove(place);
    expect(await own.read(place)).toMatchObject({ text: 'old' });
    await own.remove(place);
    expect(await own.list()).toEqual([]);
  });
});

describe('files that hold no draft', () => {
  it('are passed over and stay', async () => {
    const keeper = createDraftsFolder(state, service);
    await keeper.write(draft());
    const [file = ''] = await filesBelow(state);
    const folder = path.dirname(file);
    const odd = [
      '',
      '{',
      'null',
      '[]',
      '3',
      '"text"',
      '{"deploymentId":"d"}',
      JSON.stringify({ ...place, at: 1000, text: 3 }),
      ...[
        { text: 'abc' },
        { at: '1000' },
        { base: {} },
        { text: -1 },
        { path: 'another place' },
      ].map(
        (wrong) => `${JSON.stringify({ ...place, at: 1000, text: 3, base: 3, ...wrong })}\nabcdef`,
      ),
    ];
    const stem = path.basename(file).split('.')[0];
    const names = odd.map((_, index) => `${stem}.${index}-unknown.draft`);
    await Promise.all(
      odd.map((text, index) => writeFile(path.join(folder, names[index] ?? ''), text)),
    );
    await mkdir(path.join(folder, `${stem}.98-unknown.draft`));
    await symlink('/dev/zero', path.join(folder, `${stem}.99-unknown.draft`));
    const before = await readdir(folder);
    expect(await keeper.list()).toEqual([{ ...place, at: 1000 }]);
    expect(await keeper.read(place)).toEqual(draft());
    expect(await readdir(folder)).toEqual(before);
  });
});
