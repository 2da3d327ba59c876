import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectOptions, createClient } from '../../../source/client/client.ts';
import { createLocalFiles } from '../../../source/disk/local-files.ts';
import {
  createDownloads,
  type PreparedDownload,
} from '../../../source/store/transfers/downloads.ts';
import type { ConflictDecision } from '../../../source/store/transfers/upload-plan.ts';
import { deploy } from '../../host/support/bodies.ts';
import { sharedHost } from '../../host/support/shared-host.ts';
import { formOf, idle, sdlOf } from '../../host/support/temporary-host.ts';
import { startForeign } from '../../servers/foreign.ts';
import { answering, endless, startHostile } from '../../servers/hostile.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder = '';
let chosen = '';

beforeEach(async () => {
  folder = temporaryFolder();
  chosen = path.join(folder, 'chosen');
  await mkdir(chosen);
});

function working(service: ConnectOptions) {
  const client = createClient({ ...service, limits: { retries: 0 } });
  onTestFinished(() => client.close());
  let ticks = 0;
  return createDownloads({
    client: client.files,
    local: createLocalFiles('linux'),
    clock: { now: () => (ticks += 1000), after: () => () => {} },
  });
}

type Downloads = ReturnType<typeof working>;

async function planned(downloads: Downloads, deploymentId: string, ...paths: readonly string[]) {
  const place = { deploymentId, service: 'web' };
  const plan = await downloads.prepare({ place, paths, folder: chosen });
  if (!plan.ok) throw new Error(plan.error.sentence);
  return plan.value;
}

async function fetched(
  downloads: Downloads,
  plan: PreparedDownload,
  decision: ConflictDecision = 'replace',
) {
  const outcome = await downloads.fetch(plan, decision);
  if (outcome === undefined) throw new Error('another download is under way');
  return { ...outcome, saved: outcome.saved.map((file) => path.relative(chosen, file)).sort() };
}

async function inChosen(): Promise<readonly string[]> {
  const entries = await readdir(chosen, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(chosen, path.join(entry.parentPath, entry.name)))
    .sort();
}

const nothing = {
  saved: [],
  ambiguous: [],
  skipped: [],
  unsaved: [],
  leftOut: [],
  error: undefined,
};

describe('a download from our host', () => {
  const shared = sharedHost();
  const caller = shared.as('0xa');

  /** Creates a deployment of its own for a test. */
  async function hosted(files: Readonly<Record<string, string>>) {
    const { id } = await deploy(caller, sdlOf({ web: idle }));
    await caller.call('uploadFiles', { id, name: 'web', form: formOf(files) });
    return { id, downloads: working({ baseUrl: shared.host.baseUrl, token: caller.token }) };
  }

  it('saves a folder with its contents, and reports existing files', async () => {
    const { id, downloads } = await hosted({ 'www/a': 'new a', 'www/deep/b': 'new b', c: 'c' });
    await mkdir(path.join(chosen, 'www'));
    await writeFile(path.join(chosen, 'www/a'), 'old a');
    const plan = await planned(downloads, id, 'www');
    expect([...plan.conflicts]).toEqual(['www/a']);
    expect(await fetched(downloads, plan, 'skip')).toEqual({
      ...nothing,
      saved: ['www/deep/b'],
      skipped: ['www/a'],
    });
    expect(await readFile(path.join(chosen, 'www/a'), 'utf8')).toBe('old a');
    expect((await fetched(downloads, plan)).saved).toEqual(['www/a', 'www/deep/b']);
    expect(await readFile(path.join(chosen, 'www/a'), 'utf8')).toBe('new a');
    expect(await fetched(downloads, plan, 'cancel')).toMatchObject({ saved: [], unsaved: [] });
    expect(await inChosen()).toEqual(['www/a', 'www/deep/b']);
  });

  it('reports the progress of each file and in total', async () => {
    const { id, downloads } = await hosted({ x: 'x'.repeat(3e6), y: 'y'.repeat(1e6) });
    const seen: number[] = [];
    downloads.state.subscribe((now) => {
      if (now === undefined) return;
      expect(now.progress).toMatchObject({ files: 2, bytes: 4e6 });
      seen.push(now.progress.bytesDone);
    });
    await fetched(downloads, await planned(downloads, id, 'x', 'y'));
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(4e6);
  });

  it('follows no link out of the chosen folder', async () => {
    const { id, downloads } = await hosted({ 'www/a': 'new a', 'www/in/b': 'new b' });
    await mkdir(path.join(folder, 'outside'));
    await mkdir(path.join(chosen, 'www'));
    await symlink(path.join(folder, 'outside'), path.join(chosen, 'www/in'));
    await writeFile(path.join(folder, 'outside/a'), 'kept');
    await symlink(path.join(folder, 'outside/a'), path.join(chosen, 'www/a'));
    const plan = await planned(downloads, id, 'www');
    expect(await fetched(downloads, plan)).toEqual({
      ...nothing,
      saved: ['www/a'],
      leftOut: [{ path: 'www/in/b', reason: 'a link leads out of the folder' }],
    });
    expect(await readdir(path.join(folder, 'outside'))).toEqual(['a']);
    expect(await readFile(path.join(folder, 'outside/a'), 'utf8')).toBe('kept');
    expect(await readFile(path.join(chosen, 'www/a'), 'utf8')).toBe('new a');
  });

  it('keeps folders that have the name of a file', async () => {
    const { id, downloads } = await hosted({ a: 'a', b: 'b' });
    await mkdir(path.join(chosen, 'a'));
    const plan = await planned(downloads, id, '');
    expect(plan.leftOut).toEqual([{ path: 'a', reason: 'a folder has the same name' }]);
    expect((await fetched(downloads, plan)).saved).toEqual(['b']);
  });
});

it('hostile names never leave the chosen folder', async () => {
  const service = await startForeign({});
  onTestFinished(() => service.close());
  for (const name of ['../up', '/abs', 'a/../../up', 'good/x']) {
    service.put(service.sample, 'web', name, 'x');
  }
  const downloads = working(service);
  const outcome = await fetched(downloads, await planned(downloads, service.sample, ''));
  expect(outcome.saved).toContain('good/x');
  expect(outcome.leftOut.map((each) => each.path).sort()).toEqual(['../up', '/abs', 'a/../../up']);
  expect(await readdir(folder)).toEqual(['chosen']);
  expect(outcome.saved).toEqual(await inChosen());
});

it('a file deleted meanwhile is left out, and the others are saved', async () => {
  const service = await startForeign({});
  onTestFinished(() => service.close());
  const downloads = working(service);
  const plan = await planned(downloads, service.sample, '');
  service.deployments.get(service.sample)?.files.get('web')?.delete('index.html');
  const outcome = await fetched(downloads, plan);
  expect(outcome.leftOut.map((each) => each.path)).toEqual(['index.html']);
  expect(outcome.error).toBeUndefined();
  expect(outcome.saved).toHaveLength(plan.items.length - 1);
});

describe('a download that ends early', () => {
  const plan = (): PreparedDownload => ({
    place: { deploymentId: 'shop', service: 'web' },
    folder: chosen,
    items: ['a', 'b'].map((name) => ({ path: name, segments: [name], size: undefined })),
    leftOut: [],
    conflicts: new Set(),
  });

  it('reports the error and leaves no file', async () => {
    const server = await startHostile(answering(401, ''));
    onTestFinished(() => server.close());
    const downloads = working({ baseUrl: server.baseUrl, token: 'token' });
    expect(await fetched(downloads, plan())).toMatchObject({
      saved: [],
      unsaved: ['a', 'b'],
      error: { code: 'unauthorized' },
    });
    expect(await inChosen()).toEqual([]);
  });

  it('ends when it is cancelled, and runs one at a time', async () => {
    const server = await startHostile(endless);
    onTestFinished(() => server.close());
    const downloads = working({ baseUrl: server.baseUrl, token: 'token' });
    const fetching = fetched(downloads, plan());
    await expect.poll(() => downloads.state.getState()?.progress.bytesDone).toBeGreaterThan(1e6);
    expect(await downloads.fetch(plan(), 'replace')).toBeUndefined();
    downloads.cancel();
    expect(await fetching).toMatchObject({ unsaved: ['a', 'b'], error: { code: 'aborted' } });
    expect(await inChosen()).toEqual([]);
    expect(downloads.state.getState()).toBeUndefined();
  });
});
