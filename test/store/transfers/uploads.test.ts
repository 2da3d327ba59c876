import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectOptions, createClient } from '../../../source/client/client.ts';
import { createLocalFiles } from '../../../source/disk/local-files.ts';
import type { ConflictDecision, UploadPlan } from '../../../source/store/transfers/upload-plan.ts';
import { createUploads, type UploadsOptions } from '../../../source/store/transfers/uploads.ts';
import type { ReplacedTrash } from '../../../source/store/transfers/upload-replaced.ts';
import { deploy } from '../../host/support/bodies.ts';
import { sharedHost } from '../../host/support/shared-host.ts';
import { formOf, idle, sdlOf } from '../../host/support/temporary-host.ts';
import { type ForeignOptions, startForeign } from '../../servers/foreign.ts';
import { answering, hangUp, inTurn, silence, startHostile } from '../../servers/hostile.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder = '';

beforeEach(() => {
  folder = temporaryFolder();
});

/** Local files of these contents, below the folder `site`. */
async function site(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, 'site', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return path.join(folder, 'site');
}

type Put = Parameters<ReplacedTrash['put']>[0];

/** An uploads store at work, and what it told. */
function working(service: ConnectOptions, more: Partial<UploadsOptions> = {}) {
  const client = createClient({ ...service, limits: { retries: 0 } });
  onTestFinished(() => client.close());
  const told: string[] = [];
  const put: Put[] = [];
  let ticks = 0;
  const uploads = createUploads({
    client: client.files,
    local: createLocalFiles('linux'),
    // Late enough each time that every progress is reported.
    clock: { now: () => (ticks += 1000), after: () => () => {} },
    trash: {
      put: async (file) => {
        put.push(file);
        return { ok: true };
      },
    },
    writes: {
      operation(deployment) {
        told.push(`begin ${deployment}`);
        return () => told.push(`end ${deployment}`);
      },
      async intendUpload({ service: name }, files) {
        return {
          async arrived() {
            for (const { path: changed } of files) told.push(`${name} ${changed}`);
          },
          refused() {},
        };
      },
    },
    ...more,
  });
  return { uploads, told, put, client };
}

type Working = ReturnType<typeof working>;

async function planned({ uploads }: Working, deploymentId: string, ...paths: readonly string[]) {
  const place = { deploymentId, service: 'web' };
  const plan = await uploads.prepare({ place, target: 'public', paths });
  if (!plan.ok) throw new Error(plan.error.sentence);
  return plan.value;
}

async function sent(
  { uploads }: Working,
  plan: UploadPlan,
  decision: ConflictDecision = 'replace',
) {
  const outcome = await uploads.send(plan, decision);
  if (outcome === undefined) throw new Error('another upload is under way');
  return outcome;
}

const nothing = { sent: [], skipped: [], unknown: [], unsent: [], leftOut: [], error: undefined };

describe('an upload to our host', () => {
  const shared = sharedHost();
  const caller = shared.as('0xa');

  /** Creates a deployment of its own for a test. */
  async function hosted() {
    const { id } = await deploy(caller, sdlOf({ web: idle }));
    const work = working({ baseUrl: shared.host.baseUrl, token: caller.token });
    const content = async (name: string) => {
      const file = await work.client.files.get(id, 'web', name);
      return file.ok ? file.value.text : file.error.code;
    };
    const start = formOf({ 'public/site/a': 'old a', 'public/site/b': 'old b' });
    await caller.call('uploadFiles', { id, name: 'web', form: start });
    return { id, work, content };
  }

  it('sends a folder after storing replaced files, and reports each change before its end', async () => {
    const { id, work, content } = await hosted();
    const plan = await planned(work, id, await site({ a: 'new a', 'deep/c': 'new c' }));
    expect(plan.items.filter(({ replaces }) => replaces !== undefined)).toHaveLength(1);
    expect(await sent(work, plan)).toEqual({
      ...nothing,
      sent: ['public/site/a', 'public/site/deep/c'],
    });
    expect(await content('public/site/a')).toBe('new a');
    expect(await content('public/site/deep/c')).toBe('new c');
    expect(work.told).toEqual([
      `begin ${id}`,
      'web public/site/a',
      'web public/site/deep/c',
      `end ${id}`,
    ]);
    expect(work.put).toMatchObject([
      { deploymentId: id, service: 'web', path: 'public/site/a', reason: 'replaced' },
    ]);
    expect(Buffer.from(work.put[0]?.bytes ?? []).toString()).toBe('old a');
  });

  it('keeps existing files on request', async () => {
    const { id, work, content } = await hosted();
    const plan = await planned(work, id, await site({ a: 'new a', c: 'new c' }));
    expect(await sent(work, plan, 'skip')).toEqual({
      ...nothing,
      sent: ['public/site/c'],
      skipped: ['public/site/a'],
    });
    expect(await content('public/site/a')).toBe('old a');
    expect(work.put).toEqual([]);
    const all = ['public/site/a', 'public/site/c'];
    expect(await sent(work, plan, 'cancel')).toEqual({ ...nothing, skipped: all });
  });

  it('replaces no file that could not be stored', async () => {
    const { id, work, content } = await hosted();
    const full = { put: async () => ({ ok: false, sentence: 'The disk is full.' }) as const };
    const { uploads } = work;
    const plan = await planned(work, id, await site({ a: 'new a', c: 'new c' }));
    const other = working({ baseUrl: '', token: '' }, { client: work.client.files, trash: full });
    expect(await sent({ ...other, put: [] }, plan)).toEqual({
      ...nothing,
      sent: ['public/site/c'],
      leftOut: [{ path: path.join(folder, 'site/a'), reason: 'The disk is full.' }],
    });
    expect(await content('public/site/a')).toBe('old a');
    expect(uploads.state.getState()).toBeUndefined();
  });

  it('reports the progress of each file and in total', async () => {
    const { id, work } = await hosted();
    const plan = await planned(work, id, await site({ x: 'x'.repeat(3e6), y: 'y'.repeat(1e6) }));
    const seen: [number, number, string | undefined][] = [];
    work.uploads.state.subscribe((now) => {
      if (now === undefined) return;
      const { filesDone, bytesDone, bytes, files, current } = now.progress;
      expect([files, bytes]).toEqual([2, 4e6]);
      if (current !== undefined) expect(current.bytesDone).toBeLessThanOrEqual(current.bytes);
      seen.push([filesDone, bytesDone, current?.path]);
    });
    await sent(work, plan);
    expect(seen.map(([, bytes]) => bytes)).toEqual(
      seen.map(([, bytes]) => bytes).toSorted((a, b) => a - b),
    );
    expect(new Set(seen.map(([done, , current]) => `${done} ${current}`))).toEqual(
      new Set(['0 undefined', '0 public/site/x', '1 public/site/y', '2 undefined']),
    );
    expect(seen.at(-1)?.[1]).toBe(4e6);
  });

  it('splits into several requests within one operation', async () => {
    const { id, work, content } = await hosted();
    const names = Array.from({ length: 25 }, (_, index) => `n${String(index).padStart(2, '0')}`);
    const plan = await planned(work, id, await site(Object.fromEntries(names.map((n) => [n, n]))));
    const limits = { parts: 10, bytes: 1e6 };
    const { files } = work.client;
    const requests: number[] = [];
    const counted: typeof files = {
      ...files,
      upload(deployment, service, parts, options) {
        requests.push(parts.length);
        return files.upload(deployment, service, parts, options);
      },
    };
    const other = working({ baseUrl: '', token: '' }, { client: counted, limits });
    const outcome = await sent(other, plan);
    expect(outcome.sent).toEqual(names.map((name) => `public/site/${name}`));
    expect(requests).toEqual([10, 10, 5]);
    expect(other.told.filter((each) => /^(begin|end)/.test(each))).toEqual([
      `begin ${id}`,
      `end ${id}`,
    ]);
    expect(await content('public/site/n24')).toBe('n24');
  });
});

describe('an upload to another service', () => {
  async function foreign(options: Partial<ForeignOptions>) {
    const service = await startForeign(options);
    onTestFinished(() => service.close());
    return { service, work: working(service) };
  }

  it('retries with smaller requests, and leaves out a file that is too large alone', async () => {
    const { service, work } = await foreign({ largestFile: 1000 });
    const small = Array.from({ length: 20 }, (_, index) => [`s${index}`, 'x'.repeat(400)] as const);
    const files = { ...Object.fromEntries(small), large: 'x'.repeat(1001) };
    const plan = await planned(work, service.sample, await site(files));
    const outcome = await sent(work, plan);
    expect(outcome.sent).toHaveLength(20);
    expect(outcome.leftOut).toEqual([
      { path: path.join(folder, 'site/large'), reason: 'too large for the service' },
    ]);
    expect(outcome.error).toBeUndefined();
    for (const [name, content] of small) {
      expect(service.stored(service.sample, 'web', `public/site/${name}`)?.toString()).toBe(
        content,
      );
    }
  });

  it('stores replaced files of unknown size', async () => {
    const { service, work } = await foreign({ content: 'envelope' });
    service.put(service.sample, 'web', 'public/site/a.txt', 'old');
    const plan = await planned(work, service.sample, await site({ 'a.txt': 'new' }));
    expect((await sent(work, plan)).sent).toEqual(['public/site/a.txt']);
    expect(work.put.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['old']);
  });

  it('replaces no file of uncertain content, which could not be restored', async () => {
    const { service, work } = await foreign({ content: 'bare-envelope' });
    // No other file tells how this service answers.
    service.deployments.get(service.sample)?.files.get('web')?.clear();
    service.put(service.sample, 'web', 'public/site/a.json', '{}');
    const plan = await planned(work, service.sample, await site({ 'a.json': '[]' }));
    expect(await sent(work, plan)).toMatchObject({
      sent: [],
      leftOut: [{ reason: 'the content of the file it replaces is uncertain' }],
    });
    expect(work.put).toEqual([]);
    expect(service.stored(service.sample, 'web', 'public/site/a.json')?.toString()).toBe('{}');
  });
});

describe('an upload that fails', () => {
  const plan = async (...names: readonly string[]): Promise<UploadPlan> => {
    const root = await site(Object.fromEntries(names.map((name) => [name, name])));
    return {
      place: { deploymentId: 'shop', service: 'web' },
      target: '',
      items: names.map((name) => ({
        file: path.join(root, name),
        path: name,
        size: name.length,
        replaces: undefined,
      })),
      leftOut: [],
    };
  };

  async function against(...scripts: Parameters<typeof inTurn>) {
    const server = await startHostile(inTurn(...scripts));
    onTestFinished(() => server.close());
    const service = { baseUrl: server.baseUrl, token: 'token' };
    return working(service, { limits: { parts: 1, bytes: 1e6 } });
  }

  it('reports uploaded, uncertain and unsent files', async () => {
    const work = await against(answering(200, '{}'), hangUp);
    expect(await sent(work, await plan('a', 'b', 'c'))).toMatchObject({
      sent: ['a'],
      unknown: ['b'],
      unsent: ['c'],
      error: { code: 'disconnected', unknownOutcome: true },
    });
    expect(work.told).toEqual(['begin shop', 'web a', 'end shop']);
  });

  it('leaves out a file that is rejected alone, and goes on', async () => {
    const work = await against(
      answering(200, '{}'),
      answering(422, '{"message":"no"}'),
      answering(200, '{}'),
    );
    expect(await sent(work, await plan('a', 'b', 'c'))).toMatchObject({
      sent: ['a', 'c'],
      leftOut: [{ path: expect.stringMatching(/b$/), reason: 'no' }],
      unknown: [],
      unsent: [],
      error: undefined,
    });
  });

  it('ends when it is cancelled, and runs one at a time', async () => {
    const arrived = Promise.withResolvers<void>();
    const work = await against(answering(200, '{}'), (...request) => {
      arrived.resolve();
      silence(...request);
    });
    const made = await plan('a', 'b', 'c');
    const sending = sent(work, made);
    await arrived.promise;
    expect(await work.uploads.send(made, 'replace')).toBeUndefined();
    work.uploads.cancel();
    expect(await sending).toMatchObject({
      sent: ['a'],
      unknown: ['b'],
      unsent: ['c'],
      error: { code: 'aborted' },
    });
    expect(work.uploads.state.getState()).toBeUndefined();
  });

  it('sends no file that was deleted or changed', async () => {
    const work = await against(answering(200, '{}'));
    const made = await plan('a', 'b');
    await rm(made.items[1]?.file ?? '');
    expect(await sent(work, made)).toMatchObject({
      sent: ['a'],
      unsent: ['b'],
      error: { code: 'local', sentence: "Can't read b: no such file." },
    });
  });

  it('cannot be prepared without a listing', async () => {
    const work = await against(answering(503, ''));
    const place = { deploymentId: 'shop', service: 'web' };
    expect(await work.uploads.prepare({ place, target: '', paths: [] })).toMatchObject({
      ok: false,
      error: { status: 503 },
    });
  });
});
