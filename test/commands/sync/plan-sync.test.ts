import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planSync,
  type RemoteTree,
  type SyncPlan,
  trustedSize,
} from '../../../source/commands/sync/plan-sync.ts';
import { remoteTree } from '../../../source/commands/sync/remote-files.ts';
import type { BaseFile, SyncBase, SyncedContent } from '../../../source/disk/sync-bases.ts';

/** Content of a letter; letters `a` and `b` have the same size. */
const contentOf = (letter: string): SyncedContent => ({
  hash: letter.repeat(64),
  size: letter === 'c' ? 2 : 1,
});
const contents = (files: Readonly<Record<string, string>>) =>
  new Map(Object.entries(files).map(([path, letter]) => [path, contentOf(letter)]));

const put = (letter: string, more: Partial<BaseFile> = {}): BaseFile => ({
  content: contentOf(letter),
  isPut: true,
  ...more,
});

function plan(
  local: Readonly<Record<string, string>>,
  base: Readonly<Record<string, BaseFile>>,
  remote: RemoteTree | Readonly<Record<string, string>>,
  options: { readonly deletes?: boolean; readonly hidden?: readonly string[] } = {},
): SyncPlan {
  const tree = 'files' in remote && remote.files instanceof Map ? remote : treeOf(remote);
  return planSync({
    local: contents(local),
    hidden: new Set(options.hidden),
    base: new Map(Object.entries(base)),
    remote: tree as RemoteTree,
    deletes: options.deletes ?? false,
    hasTimes: true,
  });
}

/** A tree whose files were all read. */
function treeOf(files: object): RemoteTree {
  const { folders } = remoteTree(
    Object.keys(files).map((path) => ({ path })),
    '',
  );
  const read = contents(files as Readonly<Record<string, string>>);
  return { files: new Map(Array.from(read, ([path, content]) => [path, { content }])), folders };
}

const paths = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);

describe('a first sync', () => {
  it('creates, takes over what is equal, and overwrites nothing', () => {
    const made = plan({ x: 'a', y: 'a', z: 'a' }, {}, { y: 'a', z: 'b', other: 'a' });
    expect(paths(made.creates)).toEqual(['x']);
    expect(made.conflicts).toEqual([
      { path: 'z', reason: 'already on the service, with another content' },
    ]);
    expect(made.base.get('y')).toEqual({ content: contentOf('a'), isPut: false });
    expect([made.updates, made.deletes]).toEqual([[], []]);
  });

  it('deletes nothing', () => {
    expect(plan({}, {}, { x: 'a' }, { deletes: true }).deletes).toEqual([]);
  });
});

describe('a later sync', () => {
  it('overwrites and deletes only what the last one left', () => {
    const base = { x: put('a'), y: put('a'), gone: put('a'), changed: put('a') };
    const remote = { x: 'a', y: 'c', gone: 'a', changed: 'b' };
    const made = plan({ x: 'b', y: 'b' }, base, remote, { deletes: true });
    expect(paths(made.updates)).toEqual(['x']);
    expect(paths(made.deletes)).toEqual(['gone']);
    expect(paths(made.conflicts)).toEqual(['changed', 'y']);
  });

  it('does not delete what it took over, and keeps what is gone without --delete', () => {
    const taken = put('a', { isPut: false });
    expect(plan({}, { x: taken }, { x: 'a' }, { deletes: true }).deletes).toEqual([]);
    expect(plan({}, { x: put('a') }, { x: 'a' })).toMatchObject({ kept: ['x'], deletes: [] });
  });

  it('does not delete what is hidden in the folder', () => {
    const base = { 'in/x': put('a'), y: put('a') };
    const made = plan({}, base, { 'in/x': 'a', y: 'a' }, { deletes: true, hidden: ['in', 'y'] });
    expect([made.deletes, made.kept]).toEqual([[], []]);
    expect([...made.base.keys()]).toEqual(['in/x', 'y']);
  });

  it('knows an upload whose outcome was unknown', () => {
    const sent = { content: undefined, sent: contentOf('b'), isPut: false };
    expect(paths(plan({ x: 'c' }, { x: sent }, { x: 'b' }).updates)).toEqual(['x']);
    expect(plan({ x: 'b' }, { x: sent }, { x: 'b' }).base.get('x')).toEqual(put('b'));
    expect(paths(plan({ x: 'c' }, { x: sent }, {}).creates)).toEqual(['x']);
    expect(paths(plan({}, { x: sent }, { x: 'b' }, { deletes: true }).deletes)).toEqual(['x']);
  });

  it('names a file that was removed on the service', () => {
    expect(paths(plan({ x: 'b' }, { x: put('a') }, {}).conflicts)).toEqual(['x']);
  });
});

describe('files and folders of one name', () => {
  it('are conflicts, unless the other one is deleted first', () => {
    expect(paths(plan({ 'x/y': 'a' }, {}, { x: 'a' }).conflicts)).toEqual(['x/y']);
    expect(paths(plan({ x: 'a' }, {}, { 'x/y': 'a' }).conflicts)).toEqual(['x']);
    const grown = plan({ 'x/y': 'a' }, { x: put('a') }, { x: 'a' }, { deletes: true });
    expect(grown).toMatchObject({ deletes: [{ path: 'x', clearsWay: true }] });
    expect(paths(grown.creates)).toEqual(['x/y']);
    const shrunk = plan({ x: 'a' }, { 'x/y': put('a') }, { 'x/y': 'a' }, { deletes: true });
    expect(shrunk).toMatchObject({ deletes: [{ path: 'x/y', clearsWay: true }] });
  });
});

describe('a list', () => {
  const listed = (size?: number, modifiedAt?: string): RemoteTree => ({
    files: new Map([['x', { size, modifiedAt }]]),
    folders: new Set(),
  });

  it('is enough for a file that did not change in the folder', () => {
    const base = { x: put('a', { modifiedAt: '1' }) };
    expect(plan({ x: 'a' }, base, listed()).unread).toEqual([]);
    expect(plan({ x: 'a' }, base, listed(1, '1')).unread).toEqual([]);
    expect(plan({ x: 'a' }, base, listed(1, '2')).unread).toEqual(['x']);
    expect(paths(plan({ x: 'a' }, base, listed(7, '1')).conflicts)).toEqual(['x']);
  });

  it('is not enough to overwrite or delete', () => {
    const base = { x: put('a', { modifiedAt: '1' }) };
    for (const tree of [listed(), listed(1), listed(1, '1')]) {
      expect(plan({ x: 'b' }, base, tree).unread).toEqual(['x']);
      expect(plan({}, base, tree, { deletes: true }).unread).toEqual(['x']);
    }
  });

  it('is trusted for a large file with its size and time', () => {
    const content = { hash: 'd'.repeat(64), size: trustedSize + 1 };
    const base = { x: { content, isPut: true, modifiedAt: '1' } };
    expect(paths(plan({ x: 'a' }, base, listed(content.size, '1')).updates)).toEqual(['x']);
    expect(plan({ x: 'a' }, base, listed(content.size, '2')).unread).toEqual(['x']);
  });
});

const somePaths = ['x', 'y', 'x/y', 'x/z', 'w'] as const;
const letter = fc.constantFrom('a', 'b', 'c');
const entry = fc
  .record({
    content: fc.option(letter.map(contentOf), { nil: undefined }),
    sent: fc.option(letter.map(contentOf), { nil: undefined }),
    isPut: fc.boolean(),
  })
  .filter(({ content, sent }) => content !== undefined || sent !== undefined);

/** Files without a file in the place of a folder. */
const files = fc
  .dictionary(fc.constantFrom(...somePaths), letter)
  .map((all) =>
    Object.fromEntries(
      Object.entries(all).filter(([path]) => !('x' in all) || !path.startsWith('x/')),
    ),
  );

const situation = fc.record({
  local: files,
  remote: files,
  base: fc.dictionary(fc.constantFrom(...somePaths), entry),
  deletes: fc.boolean(),
});

/** Carries out a plan: the files of the service after it, and the base. */
function apply(
  made: SyncPlan,
  remote: Readonly<Record<string, string>>,
): { readonly remote: Readonly<Record<string, string>>; readonly base: SyncBase } {
  const after = new Map(Object.entries(remote));
  const base = new Map(made.base);
  for (const { path } of made.deletes) {
    after.delete(path);
    base.delete(path);
  }
  for (const { path, content } of [...made.creates, ...made.updates]) {
    after.set(path, content.hash.charAt(0));
    base.set(path, { content, isPut: true });
  }
  return { remote: Object.fromEntries(after), base };
}

describe('every plan', () => {
  it('overwrites and deletes nothing that no sync left there', () => {
    fc.assert(
      fc.property(situation, ({ local, remote, base, deletes }) => {
        const made = plan(local, base, remote, { deletes });
        const after = apply(made, remote).remote;
        for (const [path, before] of Object.entries(remote)) {
          if (after[path] === before) continue;
          const { content, sent, isPut = false } = base[path] ?? {};
          const { hash } = contentOf(before);
          const isOurs = hash === content?.hash || hash === sent?.hash;
          expect([path, isOurs]).toEqual([path, true]);
          if (after[path] !== undefined) expect(after[path]).toBe(local[path]);
          else expect(deletes && (sent?.hash === hash || isPut)).toBe(true);
        }
      }),
    );
  });

  it('brings each local file to the service, or names it', () => {
    fc.assert(
      fc.property(situation, ({ local, remote, base, deletes }) => {
        const made = plan(local, base, remote, { deletes });
        const after = apply(made, remote).remote;
        const named = paths(made.conflicts);
        for (const [path, content] of Object.entries(local)) {
          expect([path, named.includes(path) || after[path] === content]).toEqual([path, true]);
        }
        expect(made.unread).toEqual([]);
      }),
    );
  });

  it('leaves nothing to do for the same plan again', () => {
    fc.assert(
      fc.property(situation, ({ local, remote, base, deletes }) => {
        const first = plan(local, base, remote, { deletes });
        const { remote: there, base: known } = apply(first, remote);
        const second = plan(local, Object.fromEntries(known), there, { deletes });
        expect([second.creates, second.updates, second.deletes]).toEqual([[], [], []]);
        expect(second.base).toEqual(known);
      }),
    );
  });

  it('is the same, with or without contents that it does not ask for', () => {
    fc.assert(
      fc.property(situation, ({ local, remote, base, deletes }) => {
        const whole = treeOf(remote);
        const listed = new Map(
          Object.entries(remote).map(([path, name]) => [path, { size: contentOf(name).size }]),
        );
        const bare = plan(local, base, { ...whole, files: listed }, { deletes });
        const asked = new Map<string, object>(listed);
        for (const path of bare.unread)
          asked.set(path, { ...listed.get(path), ...whole.files.get(path) });
        const read = plan(local, base, { ...whole, files: asked }, { deletes });
        const full = plan(local, base, whole, { deletes });
        const acts = ({ creates, updates, deletes: gone }: SyncPlan) => [creates, updates, gone];
        expect(read.unread).toEqual([]);
        expect(acts(read)).toEqual(acts(full));
      }),
    );
  });
});
