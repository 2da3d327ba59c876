import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ErrorCode,
  type Result,
  createRequestTarget,
  createServiceError,
} from '../../../source/client/http/errors.ts';
import { createLocalContents, hashOfBytes } from '../../../source/commands/sync/local-contents.ts';
import { readLocalTree } from '../../../source/commands/sync/local-tree.ts';
import { prepareSync } from '../../../source/commands/sync/prepare-sync.ts';
import { type RemoteFiles, remoteTree } from '../../../source/commands/sync/remote-files.ts';
import { type SendOptions, sendSync } from '../../../source/commands/sync/send-sync.ts';
import type { SyncBase, SyncBaseFile } from '../../../source/disk/sync-bases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const failure = (code: ErrorCode, unknownOutcome = false): Result<never> => ({
  ok: false,
  error: createServiceError(createRequestTarget('uploadFiles', 'host'), code, `${code}.`, '', {
    unknownOutcome,
  }),
});

/** A service in memory. `before` runs before each request, and may answer it with a failure. */
class MemoryService implements RemoteFiles {
  readonly files = new Map<string, string>();
  before: (request: string, paths: readonly string[]) => Result<never> | undefined = () =>
    undefined;

  placeOf(below: string): string {
    return below;
  }

  async list() {
    const failed = this.before('list', []);
    const paths = [...this.files.keys()].map((each) => ({ path: each }));
    return failed ?? { ok: true as const, value: remoteTree(paths, '') };
  }

  async contents(paths: readonly string[]) {
    const failed = this.before('read', paths);
    const found = paths.flatMap((each) => {
      const text = this.files.get(each);
      if (text === undefined) return [];
      return [[each, { hash: hashOfBytes(Buffer.from(text)), size: text.length }] as const];
    });
    return failed ?? { ok: true as const, value: new Map(found) };
  }

  async upload(parts: Parameters<RemoteFiles['upload']>[0]): Promise<Result<void>> {
    const paths = parts.map((each) => each.path);
    const failed = this.before('upload', paths);
    if (failed !== undefined && !(!failed.ok && failed.error.unknownOutcome)) return failed;
    for (const { path: name, source } of parts) {
      if ('bytes' in source) this.files.set(name, Buffer.from(source.bytes).toString());
    }
    return failed ?? { ok: true, value: undefined };
  }

  async delete(name: string): Promise<Result<void>> {
    const failed = this.before('delete', [name]);
    if (failed === undefined) this.files.delete(name);
    return failed ?? { ok: true, value: undefined };
  }

  close = () => Promise.resolve();
}

/** One end in a folder, the other one in memory, and the base of their syncs. */
class Ground {
  readonly folder = temporaryFolder();
  readonly service = new MemoryService();
  readonly written: SyncBase[] = [];
  base: SyncBase = new Map();
  readonly #abort = new AbortController();

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true });
      await writeFile(path.join(this.folder, name), text);
    }
  }

  async sync(options: Partial<SendOptions> & { readonly between?: () => Promise<void> } = {}) {
    const contents = createLocalContents(this.folder);
    const read = await readLocalTree(this.folder);
    if (!read.ok) throw new Error(read.reason);
    const baseFile: SyncBaseFile = {
      read: () => Promise.resolve(this.base),
      write: (base) => {
        this.written.push(new Map(base));
        return Promise.resolve({ ok: true });
      },
      lock: () => Promise.resolve(undefined),
      unlock: () => Promise.resolve(),
    };
    const local = await contents.hashesOf(read.tree);
    const { hidden } = read.tree;
    const input = { local, hidden, base: this.base, deletes: true, hasTimes: true };
    const prepared = await prepareSync(this.service, input);
    if (!prepared.ok) throw new Error(prepared.error.sentence);
    await options.between?.();
    const sent = await sendSync(prepared.value.plan, {
      remote: this.service,
      contents,
      baseFile,
      deletes: true,
      hasTimes: true,
      now: () => 0,
      signal: this.#abort.signal,
      ...options,
    });
    this.base = sent.base;
    return { plan: prepared.value.plan, sent };
  }
}

const paths = (files: readonly { readonly path: string }[]) => files.map(({ path: each }) => each);

describe('sending a plan', () => {
  it('names what a stranger did since the plan was made, and leaves it', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a', b: 'b', c: 'c', gone: 'gone' });
    ground.service.files.set('c', 'c');
    await ground.sync();
    await ground.write({ a: 'A', b: 'B', new: 'new' });
    await rm(path.join(ground.folder, 'gone'));
    const { files } = ground.service;
    const { sent } = await ground.sync({
      between: async () => {
        for (const name of ['a', 'gone', 'new']) files.set(name, 'theirs');
      },
    });
    expect(paths(sent.conflicts).sort()).toEqual(['a', 'gone', 'new']);
    expect(Object.fromEntries(files)).toEqual({
      a: 'theirs',
      b: 'B',
      c: 'c',
      gone: 'theirs',
      new: 'theirs',
    });
  });

  it('goes on after an upload whose outcome was unknown', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a' });
    ground.service.before = (request) =>
      request === 'upload' ? failure('disconnected', true) : undefined;
    const { sent } = await ground.sync();
    expect(sent.stoppedBy?.code).toBe('disconnected');
    expect(ground.service.files.get('a')).toBe('a');
    ground.service.before = () => undefined;
    await ground.write({ a: 'A' });
    const { plan } = await ground.sync();
    expect([paths(plan.updates), plan.conflicts]).toEqual([['a'], []]);
    expect(ground.service.files.get('a')).toBe('A');
  });

  it('keeps on disk what it sends before it sends it', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a' });
    ground.service.before = (request) => {
      if (request === 'upload') expect(ground.written.at(-1)?.get('a')?.sent?.size).toBe(1);
      return undefined;
    };
    await ground.sync();
    expect(ground.written.at(-1)?.get('a')).toMatchObject({ isPut: true, content: { size: 1 } });
  });

  it('sends files one by one when the service refuses them together', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a', large: 'large', z: 'z' });
    ground.service.before = (request, names) =>
      request === 'upload' && names.includes('large') ? failure('too-large') : undefined;
    const { sent } = await ground.sync();
    expect([sent.failures, sent.stoppedBy]).toEqual([
      [{ path: 'large', reason: 'too-large.' }],
      undefined,
    ]);
    expect([...ground.service.files.keys()].sort()).toEqual(['a', 'z']);
  });

  it('deletes nothing that came back, and ends with a signal after the request', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a', b: 'b' });
    await ground.sync();
    await rm(path.join(ground.folder, 'a'));
    const back = await ground.sync({ between: () => ground.write({ a: 'a' }) });
    expect([back.sent.postponed, [...ground.service.files.keys()]]).toEqual([['a'], ['a', 'b']]);
    await rm(path.join(ground.folder, 'a'));
    const abort = new AbortController();
    ground.service.before = (request) => {
      if (request === 'delete') abort.abort();
      return undefined;
    };
    await rm(path.join(ground.folder, 'b'));
    const { sent } = await ground.sync({ signal: abort.signal });
    expect([paths(sent.written), [...ground.service.files.keys()]]).toEqual([['a'], ['b']]);
    expect([...ground.base.keys()]).toEqual(['b']);
  });

  it('makes room for a folder in place of a file, and for a file in place of a folder', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a', 'b/c': 'c' });
    await ground.sync();
    await rm(path.join(ground.folder, 'a'));
    await rm(path.join(ground.folder, 'b'), { recursive: true });
    await ground.write({ 'a/b': 'b', b: 'b' });
    await ground.sync();
    expect(Object.fromEntries(ground.service.files)).toEqual({ 'a/b': 'b', b: 'b' });
  });
});

describe('any strangers', () => {
  it('lose nothing, whenever they write', async () => {
    const letter = fc.constantFrom('a', 'b', 'c');
    const name = fc.constantFrom('x', 'y', 'z');
    const step = fc.record({
      local: fc.dictionary(name, fc.option(letter)),
      stranger: fc.dictionary(name, letter),
      /** Request before which the stranger writes. */
      at: fc.nat(8),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const ground = new Ground();
        const { service } = ground;
        const theirs = new Map<string, string>();
        for (const [round, { local, stranger, at }] of steps.entries()) {
          for (const [file, content] of Object.entries(local)) {
            if (content === null) await rm(path.join(ground.folder, file), { force: true });
            else await ground.write({ [file]: `${content}${round}` });
          }
          let requests = 0;
          service.before = (request, names) => {
            // Nothing can be seen that comes between the check of a file and its write.
            if (requests++ < at || request === 'upload' || request === 'delete') return undefined;
            for (const [file, content] of Object.entries(stranger)) {
              if (request === 'read' && !names.includes(file)) continue;
              theirs.set(file, `stranger ${content}${round}`);
              service.files.set(file, `stranger ${content}${round}`);
            }
            return undefined;
          };
          await ground.sync();
          for (const [file, content] of theirs) {
            expect([file, service.files.get(file)]).toEqual([file, content]);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});
