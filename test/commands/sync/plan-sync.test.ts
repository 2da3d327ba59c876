import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  itemsOf,
  planSync,
  type ListedFile,
  type SyncInput,
  type SyncItem,
  type SyncPlan,
  unreadFiles,
} from '../../../source/commands/sync/plan-sync.ts';
import type { BaseFile, SyncBase, SyncedContent } from '../../../source/disk/sync-bases.ts';

type Letters = Readonly<Record<string, string>>;

/** Content of a letter; letters `a` and `b` have the same size. */
const contentOf = (letter: string): SyncedContent => ({
  hash: letter.repeat(64),
  size: letter === 'c' ? 2 : 1,
});
const contents = (files: Letters) =>
  new Map(Object.entries(files).map(([path, letter]) => [path, { content: contentOf(letter) }]));

const put = (letter: string, more: Partial<BaseFile> = {}): BaseFile => ({
  content: contentOf(letter),
  isPut: true,
  ...more,
});

interface Options {
  readonly deletes?: boolean;
  readonly hidden?: readonly string[];
}

function inputOf(
  local: Letters,
  base: Readonly<Record<string, BaseFile>>,
  remote: ReadonlyMap<string, ListedFile>,
  options: Options = {},
): SyncInput {
  return {
    local: contents(local),
    hidden: new Set(options.hidden),
    base: new Map(Object.entries(base)),
    remote,
    deletes: options.deletes ?? false,
  };
}

const plan = (
  local: Letters,
  base: Readonly<Record<string, BaseFile>>,
  remote: Letters,
  options?: Options,
): SyncPlan => planSync(inputOf(local, base, contents(remote), options));

const paths = ({ items }: SyncPlan, ...actions: readonly SyncItem['action'][]) =>
  itemsOf(items, ...actions).map(({ path }) => path);

describe('a first sync', () => {
  it('creates, takes over what is equal, and overwrites nothing', () => {
    const made = plan({ x: 'a', y: 'a', z: 'a' }, {}, { y: 'a', z: 'b', other: 'a' });
    expect(made.items).toEqual([
      { action: 'create', path: 'x', size: 1 },
      { action: 'conflict', path: 'z', reason: 'already on the service, with another content' },
    ]);
    expect(made.base.get('y')).toEqual({ content: contentOf('a'), isPut: false });
  });

  it('deletes nothing', () => {
    expect(plan({}, {}, { x: 'a' }, { deletes: true }).items).toEqual([]);
  });
});

describe('a later sync', () => {
  it('overwrites and deletes only what the last one left', () => {
    const base = { x: put('a'), y: put('a'), gone: put('a'), changed: put('a') };
    const remote = { x: 'a', y: 'c', gone: 'a', changed: 'b' };
    const made = plan({ x: 'b', y: 'b' }, base, remote, { deletes: true });
    expect(paths(made, 'update')).toEqual(['x']);
    expect(paths(made, 'delete')).toEqual(['gone']);
    expect(paths(made, 'conflict')).toEqual(['y', 'changed']);
  });

  it('does not delete what it took over, and keeps what is gone without --delete', () => {
    const taken = put('a', { isPut: false });
    const kept = [{ action: 'keep', path: 'x', reason: 'not in the folder' }];
    expect(plan({}, { x: taken }, { x: 'a' }, { deletes: true }).items).toEqual(kept);
    expect(plan({}, { x: put('a') }, { x: 'a' }).items).toEqual(kept);
    const listed = inputOf({}, { x: taken }, new Map([['x', {}]]), { deletes: true });
    expect([unreadFiles(listed), planSync(listed).items]).toEqual([[], kept]);
  });

  it('does not delete what is hidden in the folder', () => {
    const base = { 'in/x': put('a'), y: put('a') };
    const options = { deletes: true, hidden: ['in', 'y'] };
    const made = plan({}, base, { 'in/x': 'a', y: 'a' }, options);
    expect(made).toEqual({ items: [], base: new Map(Object.entries(base)) });
    const listed = new Map(['in/x', 'y'].map((path) => [path, {}]));
    expect(unreadFiles(inputOf({}, base, listed, options))).toEqual([]);
  });

  it('knows an upload whose outcome was unknown', () => {
    const sent = { content: undefined, sent: contentOf('b'), isPut: false };
    const again = plan({ x: 'c' }, { x: sent }, { x: 'b' });
    expect([paths(again, 'update'), again.base.get('x')]).toEqual([['x'], put('b')]);
    expect(plan({ x: 'b' }, { x: sent }, { x: 'b' }).base.get('x')).toEqual(put('b'));
    expect(paths(plan({ x: 'c' }, { x: sent }, {}), 'create')).toEqual(['x']);
    const deleting = plan({}, { x: sent }, { x: 'b' }, { deletes: true });
    expect(paths(deleting, 'delete')).toEqual(['x']);
  });

  it('reads a file again whose content was changed back after such an upload', () => {
    const base = { x: put('a', { sent: contentOf('b') }) };
    expect(unreadFiles(inputOf({ x: 'a' }, base, new Map([['x', {}]])))).toEqual(['x']);
  });

  it('forgets what both ends lack', () => {
    expect(plan({}, { x: put('a') }, {})).toEqual({ items: [], base: new Map() });
  });

  it('names a file that was removed on the service', () => {
    expect(plan({ x: 'b' }, { x: put('a') }, {}).items).toEqual([
      { action: 'conflict', path: 'x', reason: 'removed on the service since the last sync' },
    ]);
  });
});

describe('files and folders of one name', () => {
  it('are conflicts, unless the other one is deleted first', () => {
    const below = plan({ 'x/y': 'a' }, {}, { x: 'a' });
    expect(below.items).toMatchObject([{ path: 'x/y', reason: 'x is a file on the service' }]);
    const above = plan({ x: 'a' }, {}, { 'x/y': 'a' });
    expect(above.items).toMatchObject([{ path: 'x', reason: 'it is a folder on the service' }]);
    const grown = plan({ 'x/y': 'a' }, { x: put('a') }, { x: 'a' }, { deletes: true });
    expect([paths(grown, 'delete'), paths(grown, 'create')]).toEqual([['x'], ['x/y']]);
    const shrunk = plan({ x: 'a' }, { 'x/y': put('a') }, { 'x/y': 'a' }, { deletes: true });
    expect([paths(shrunk, 'delete'), paths(shrunk, 'create')]).toEqual([['x/y'], ['x']]);
  });
});

describe('a list', () => {
  const reads = (local: Letters, size?: number, modifiedAt?: string, deletes = false) => {
    const listed = new Map([['x', { size, modifiedAt }]]);
    return unreadFiles(inputOf(local, { x: put('a', { modifiedAt: '1' }) }, listed, { deletes }));
  };

  it('is enough for a file that did not change in the folder', () => {
    expect([reads({ x: 'a' }), reads({ x: 'a' }, 1, '1')]).toEqual([[], []]);
    expect(reads({ x: 'a' }, 1, '2')).toEqual(['x']);
    expect(reads({}, 1, '2')).toEqual([]);
  });

  it('is enough for a size that none of the contents has', () => {
    const listed = new Map([['x', { size: 7, modifiedAt: '1' }]]);
    const input = inputOf({ x: 'a' }, { x: put('a', { modifiedAt: '1' }) }, listed);
    expect([unreadFiles(input), paths(planSync(input), 'conflict')]).toEqual([[], ['x']]);
  });

  it('is not enough to overwrite or delete', () => {
    for (const [size, time] of [[], [1], [1, '1']] as const) {
      expect(reads({ x: 'b' }, size, time)).toEqual(['x']);
      expect(reads({}, size, time, true)).toEqual(['x']);
    }
  });

  it('that shows a file which is then not found is a conflict', () => {
    const made = planSync(inputOf({ x: 'b' }, { x: put('a') }, new Map([['x', {}]])));
    expect(paths(made, 'conflict')).toEqual(['x']);
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
  local: Letters,
  remote: Letters,
): { readonly remote: Letters; readonly base: SyncBase } {
  const after = new Map(Object.entries(remote));
  const base = new Map(made.base);
  for (const path of paths(made, 'delete')) {
    after.delete(path);
    base.delete(path);
  }
  for (const path of paths(made, 'create', 'update')) {
    after.set(path, String(local[path]));
    base.set(path, put(String(local[path])));
  }
  return { remote: Object.fromEntries(after), base };
}

describe('every plan', () => {
  it('overwrites and deletes nothing that no sync left there', () => {
    fc.assert(
      fc.property(situation, ({ local, remote, base, deletes }) => {
        const made = plan(local, base, remote, { deletes });
        const after = apply(made, local, remote).remote;
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
        const after = apply(made, local, remote).remote;
        const named = paths(made, 'conflict');
        for (const [path, content] of Object.entries(local)) {
          expect([path, named.includes(path) || after[path] === content]).toEqual([path, true]);
        }
      }),
    );
  });

  it('leaves nothing to do for the same plan again', () => {
    fc.assert(
      fc.property(situation, ({ local, remote, base, deletes }) => {
        const first = plan(local, base, remote, { deletes });
        const { remote: there, base: known } = apply(first, local, remote);
        const second = plan(local, Object.fromEntries(known), there, { deletes });
        expect(paths(second, 'create', 'update', 'delete')).toEqual([]);
        expect(second.base).toEqual(known);
      }),
    );
  });

  it('is the same, with or without contents that it does not ask for', () => {
    fc.assert(
      fc.property(situation, ({ local, remote, base, deletes }) => {
        const listed = new Map<string, ListedFile>(
          Object.entries(remote).map(([path, name]) => [path, { size: contentOf(name).size }]),
        );
        const bare = inputOf(local, base, listed, { deletes });
        const asked = new Map(listed);
        for (const path of unreadFiles(bare)) asked.set(path, contents(remote).get(path) ?? {});
        const acts = ({ items }: SyncPlan) => itemsOf(items, 'create', 'update', 'delete');
        const full = plan(local, base, remote, { deletes });
        expect(acts(planSync({ ...bare, remote: asked }))).toEqual(acts(full));
      }),
    );
  });
});
