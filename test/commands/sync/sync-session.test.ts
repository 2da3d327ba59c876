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
import { itemsOf } from '../../../source/commands/sync/plan-sync.ts';
import { SyncSession } from '../../../source/commands/sync/sync-session.ts';
import { type SyncBase, SyncBaseFile } from '../../../source/disk/sync-bases.ts';
import { MemoryFiles } from '../../servers/memory-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const failure = (code: ErrorCode, unknownOutcome = false): Result<never> => ({
  ok: false,
  error: createServiceError(createRequestTarget('uploadFiles', 'host'), code, `${code}.`, '', {
    unknownOutcome,
  }),
});

type Request = 'list' | 'read' | 'upload' | 'delete';

/** A service in memory. `before` runs before each request, and may answer it with a failure. */
class MemoryService extends MemoryFiles {
  readonly #paths = new Set<string>();
  before: (request: Request, paths: readonly string[]) => Result<never> | undefined = () =>
    undefined;

  /** Contents of the files, by their paths in order. */
  get contents(): Readonly<Record<string, string>> {
    const there = [...this.#paths].sort().map((name) => [name, this.textOf(name)] as const);
    return Object.fromEntries(there.filter(([, text]) => text !== undefined)) as never;
  }

  override put(...[name, ...rest]: Parameters<MemoryFiles['put']>): void {
    this.#paths.add(name);
    super.put(name, ...rest);
  }

  override async list(): ReturnType<MemoryFiles['list']> {
    return this.before('list', []) ?? super.list();
  }

  override async get(...args: Parameters<MemoryFiles['get']>): ReturnType<MemoryFiles['get']> {
    return this.before('read', [args[2]]) ?? super.get(...args);
  }

  override async upload(...args: Parameters<MemoryFiles['upload']>) {
    const failed = this.before(
      'upload',
      args[2].map((part) => part.path),
    );
    if (failed !== undefined && !(!failed.ok && failed.error.unknownOutcome)) return failed;
    const done = await super.upload(...args);
    return failed ?? done;
  }

  override async delete(...args: Parameters<MemoryFiles['delete']>) {
    return this.before('delete', [args[2]]) ?? super.delete(...args);
  }
}

/** A base in memory. */
class MemoryBase extends SyncBaseFile {
  readonly written: SyncBase[] = [];

  override async read(): Promise<SyncBase> {
    return this.written.at(-1) ?? new Map();
  }

  override async write(base: SyncBase) {
    this.written.push(new Map(base));
    return { ok: true } as const;
  }
}

/** One end in a folder, the other one in memory, and the base of their syncs. */
class Ground {
  readonly folder = temporaryFolder();
  readonly service = new MemoryService();
  readonly base = new MemoryBase('', '', {
    folder: this.folder,
    deployment: 'd',
    service: 'web',
    target: '',
  });

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true });
      await writeFile(path.join(this.folder, name), text);
    }
  }

  async sync({
    between = async () => {},
    signal = new AbortController().signal,
  }: {
    readonly between?: () => Promise<void>;
    readonly signal?: AbortSignal;
  } = {}) {
    const session = new SyncSession(this.service, this.base, await this.base.read(), true, signal);
    const read = await session.local.read();
    if (!read.ok) throw new Error(read.reason);
    const planned = await session.plan(read.state);
    if (!planned.ok) throw new Error(planned.error.sentence);
    await between();
    const sent = await session.send(planned.value, () => {});
    return { plan: planned.value.items, sent };
  }
}

const paths = (files: readonly { readonly path: string }[]) => files.map(({ path: each }) => each);

describe('sending a plan', () => {
  it('names what a stranger did since the plan was made, and leaves it', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a', b: 'b', c: 'c', gone: 'gone' });
    ground.service.put('c', 'c');
    await ground.sync();
    await ground.write({ a: 'A', b: 'B', new: 'new' });
    await rm(path.join(ground.folder, 'gone'));
    const { sent } = await ground.sync({
      between: async () => {
        for (const name of ['a', 'gone', 'new']) ground.service.put(name, 'theirs');
      },
    });
    expect(paths(itemsOf(sent.left, 'conflict')).sort()).toEqual(['a', 'gone', 'new']);
    expect(ground.service.contents).toEqual({
      a: 'theirs',
      b: 'B',
      c: 'c',
      gone: 'theirs',
      new: 'theirs',
    });
  });

  it.each(['disconnected', 'invalid'] as const)(
    'goes on after an unknown outcome: %s',
    async (code) => {
      const ground = new Ground();
      await ground.write({ a: 'a' });
      ground.service.before = (request) => (request === 'upload' ? failure(code, true) : undefined);
      const { sent } = await ground.sync();
      expect(sent.stoppedBy?.code).toBe(code);
      expect(ground.service.textOf('a')).toBe('a');
      ground.service.before = () => undefined;
      await ground.write({ a: 'A' });
      const { plan } = await ground.sync();
      expect(plan).toEqual([{ action: 'update', path: 'a', size: 1 }]);
      expect(ground.service.textOf('a')).toBe('A');
    },
  );

  it('keeps on disk what it sends before it sends it', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a' });
    ground.service.before = (request) => {
      if (request === 'upload') expect(ground.base.written.at(-1)?.get('a')?.sent?.size).toBe(1);
      return undefined;
    };
    await ground.sync();
    expect(ground.base.written.at(-1)?.get('a')).toMatchObject({
      isPut: true,
      content: { size: 1 },
    });
    ground.service.before = () => undefined;
    ground.service.requests.length = 0;
    await ground.sync();
    expect(ground.service.requests).toEqual(['list']);
  });

  it('takes over the same content that a stranger puts meanwhile', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a' });
    const { sent } = await ground.sync({ between: async () => ground.service.put('a', 'a') });
    expect([sent.written, sent.left]).toEqual([[], []]);
    await ground.write({ a: 'A' });
    expect(paths((await ground.sync()).sent.written)).toEqual(['a']);
  });

  it('sends files one by one when the service refuses them together', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a', large: 'large', z: 'z' });
    ground.service.before = (request, names) =>
      request === 'upload' && names.includes('large') ? failure('too-large') : undefined;
    const { sent } = await ground.sync();
    const refused = { action: 'refused', path: 'large', reason: 'too-large.' };
    expect([sent.left, sent.stoppedBy]).toEqual([[refused], undefined]);
    expect(ground.service.contents).toEqual({ a: 'a', z: 'z' });
  });

  it('deletes nothing that came back, and ends with a signal after the request', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a', b: 'b' });
    await ground.sync();
    await rm(path.join(ground.folder, 'a'));
    const back = await ground.sync({ between: () => ground.write({ a: 'a' }) });
    expect(back.sent.left).toMatchObject([{ action: 'unstable', path: 'a' }]);
    expect(ground.service.contents).toEqual({ a: 'a', b: 'b' });
    await rm(path.join(ground.folder, 'a'));
    const abort = new AbortController();
    ground.service.before = (request) => {
      if (request === 'delete') abort.abort();
      return undefined;
    };
    await rm(path.join(ground.folder, 'b'));
    const { sent } = await ground.sync({ signal: abort.signal });
    expect([paths(sent.written), ground.service.contents]).toEqual([['a'], { b: 'b' }]);
    expect([...(await ground.base.read()).keys()]).toEqual(['b']);
  });

  it('makes room for a folder in place of a file, and for a file in place of a folder', async () => {
    const ground = new Ground();
    await ground.write({ a: 'a', 'b/c': 'c' });
    await ground.sync();
    await rm(path.join(ground.folder, 'a'));
    await rm(path.join(ground.folder, 'b'), { recursive: true });
    await ground.write({ 'a/b': 'b', b: 'b' });
    await ground.sync();
    expect(ground.service.contents).toEqual({ 'a/b': 'b', b: 'b' });
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
              service.put(file, `stranger ${content}${round}`);
            }
            return undefined;
          };
          await ground.sync();
          for (const [file, content] of theirs) {
            expect([file, service.textOf(file)]).toEqual([file, content]);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});
