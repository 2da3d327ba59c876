import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp } from '../../../source/host/backup/back-up.ts';
import { restoreBackup } from '../../../source/host/backup/restore-backup.ts';
import { writePlan } from '../../../source/host/files/placing.ts';
import { startHost } from '../../../source/host/server/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { deploy, fieldOf, readDeployment, readLogs } from '../support/bodies.ts';
import {
  type Caller,
  callHost,
  nodeService,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
  withoutIsolation,
} from '../support/temporary-host.ts';
import { waitUntilActive } from '../support/wait-until-active.ts';
import { engineVolumesOf } from './test-engine-volumes.ts';

/** A service that prints its file and then a line every 10 ms. */
const printing = nodeService(`
  const fs = require('node:fs');
  console.log('runs', fs.existsSync('file') ? fs.readFileSync('file', 'utf8') : 'nothing');
  let n = 0;
  setInterval(() => console.log('line', n++), 10);`);

let host: TemporaryHost;
let folder: string;
let file: string;
let caller: Caller;

beforeEach(async () => {
  host = await temporaryHost();
  folder = temporaryFolder();
  file = path.join(folder, 'backup.tar.zst');
  caller = host.as('0xa');
});

afterEach(async () => {
  await host.remove();
});

const options = () => ({
  dataDir: host.dataDir,
  file,
  version: 'test',
  machineFolder: withoutIsolation.machineFolder,
  engineVolumesOf,
});

const put = async (id: string, at: string, content: string) =>
  fieldOf(
    await caller.call('updateFile', { id, name: 'web', path: at, json: { content } }),
    'file',
  );

/** Starts a host on a restored folder; it ends with the block. */
async function restored(dataDir = path.join(folder, 'restored')) {
  await restoreBackup(file, dataDir);
  const started = await startHost({
    dataDir,
    port: 0,
    sample: false,
    graceMs: 1000,
    trustWallets: true,
    ...withoutIsolation,
    limits: { minAmount: 0n },
  });
  const restoredCaller: Caller = {
    ...caller,
    call: (operation, callOptions) =>
      callHost(started.baseUrl, caller.token, operation, callOptions),
  };
  return {
    started,
    caller: restoredCaller,
    dataDir,
    [Symbol.asyncDispose]: () => started.close(),
  };
}

const contentOf = async (from: Caller, id: string, at: string) =>
  (
    fieldOf(await from.call('getFile', { id, name: 'web', path: at }), 'file') as {
      readonly content: string;
    }
  ).content;

describe('a restored backup', () => {
  it('has records, tokens, files, the running generation and logs', async () => {
    const { id } = await deploy(caller, sdlOf({ web: printing }));
    await put(id, 'file', 'applied');
    await caller.call('restartDeployment', { id });
    await waitFor(async () =>
      expect(await readLogs(caller, id)).toContainEqual(
        expect.objectContaining({ logLine: 'runs applied' }),
      ),
    );
    await put(id, 'file', 'unapplied');
    const record = await put(id, 'deep/er', 'later');
    const lines = await readLogs(caller, id);
    const summary = await backUp(options());
    expect(summary).toEqual({
      size: statSync(file).size,
      skipped: 0,
      withoutVolumes: 0,
      withoutEngineVolumes: 0,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const restoredAt = Date.now();
    await using copy = await restored();
    expect(await contentOf(copy.caller, id, 'file')).toBe('unapplied');
    const listed = await copy.caller.call('listFiles', { id, name: 'web' });
    expect(fieldOf(listed, 'files')).toContainEqual(record);
    await waitUntilActive(copy.caller, id);
    await waitFor(async () => {
      const now = await readLogs(copy.caller, id);
      expect(now.filter(({ logLine }) => logLine === 'runs applied')).toHaveLength(2);
    });
    const after = await readLogs(copy.caller, id);
    const known = new Map(after.map((line) => [line.id, line]));
    for (const line of lines) expect(known.get(line.id)).toEqual(line);
    expect(after.map(({ logLine }) => logLine)).toContainEqual(
      expect.stringMatching(/^restored from the backup of .* UTC; later lines are lost$/),
    );
    // The first host goes on and gives ids that the backup lacks; no new line may have one of them.
    const [newest] = (await readLogs(caller, id)).slice(-1);
    const later = after.filter(({ timestamp }) => Date.parse(timestamp) > restoredAt);
    expect(Math.min(...later.map((line) => line.id))).toBeGreaterThan(newest?.id ?? Infinity);
    expect((await readDeployment(caller, id)).state).toBe('active');
  });

  it('is made without a host as well', async () => {
    const { id } = await deploy(caller, sdlOf({ web: printing }));
    await put(id, 'file', 'kept');
    await host.host.close();
    await backUp(options());
    await using copy = await restored();
    expect(await contentOf(copy.caller, id, 'file')).toBe('kept');
  });

  it('has the whole of an upload that a killed host has placed in part', async () => {
    const { id } = await deploy(caller, sdlOf({ web: printing }));
    await host.host.close();
    const files = path.join(host.dataDir, 'deployments', id);
    const arriving = path.join(files, 'arriving', 'upload');
    mkdirSync(arriving, { recursive: true });
    writeFileSync(path.join(arriving, 'second'), 'two');
    await writePlan(arriving, 'web', [
      { path: 'one', temporaryPath: path.join(arriving, 'first') },
      { path: 'two', temporaryPath: path.join(arriving, 'second') },
    ]);
    writeFileSync(path.join(files, 'staged', 'web', 'one'), 'one');
    await backUp(options());
    await using copy = await restored();
    expect(await contentOf(copy.caller, id, 'one')).toBe('one');
    expect(await contentOf(copy.caller, id, 'two')).toBe('two');
  });

  it('can be put into an existing empty folder, and not into any other', async () => {
    await backUp(options());
    const existing = temporaryFolder();
    await using copy = await restored(existing);
    expect(readdirSync(copy.dataDir)).toContain('host.db');
    await expect(restoreBackup(file, existing)).rejects.toThrow('is not empty');
  });
});

describe('a backup', () => {
  it('never replaces a file', async () => {
    writeFileSync(file, 'precious');
    await expect(backUp(options())).rejects.toThrow('exists already. Name another file.');
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(readdirSync(folder)).toEqual(['backup.tar.zst']);
  });

  it('names the reason when its file cannot be created', async () => {
    const missing = path.join(folder, 'missing', 'backup');
    await expect(backUp({ ...options(), file: missing })).rejects.toThrow(
      /^Can't create .* Name another file\.$/,
    );
  });

  it('leaves no file when it is interrupted', async () => {
    await deploy(caller, sdlOf({ web: printing }));
    const controller = new AbortController();
    const failing = backUp({ ...options(), signal: controller.signal });
    controller.abort();
    await expect(failing).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
    // The host notices that the receiver has left, and ends the backup.
    await waitFor(() => backUp(options()));
    expect(readdirSync(folder)).toEqual(['backup.tar.zst']);
    expect(readdirSync(host.dataDir)).not.toContain('backup-in-progress');
  });

  it('has all that was answered before it, while clients write', async () => {
    const { id } = await deploy(caller, sdlOf({ web: printing }));
    const end = new AbortController();
    const answered = new Map<string, number>();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 0; !end.signal.aborted; at += 1) {
        await put(id, `w${writer}/${at % 5}`, String(at));
        answered.set(`w${writer}/${at % 5}`, at);
        if (at % 3 === 2) {
          const [oldPath, newPath] = [`w${writer}/${at % 5}`, `w${writer}/renamed${at}`];
          await caller.call('renameFile', { id, name: 'web', json: { oldPath, newPath } });
          answered.delete(oldPath);
          answered.set(newPath, at);
        }
      }
    });
    await waitFor(() => expect(answered.size).toBeGreaterThan(60));
    const before = new Map(answered);
    const lines = await readLogs(caller, id);
    await backUp(options());
    end.abort();
    await Promise.all(writers);

    await using copy = await restored();
    const listed = fieldOf(await copy.caller.call('listFiles', { id, name: 'web' }), 'files');
    const found = new Set(
      (listed as readonly { readonly path: string }[]).map((each) => each.path),
    );
    for (const [at, number] of before) {
      const isRenamed = at.includes('renamed');
      // A file that isn't renamed may have been written again, or renamed, during the backup.
      if (isRenamed) expect(await contentOf(copy.caller, id, at)).toBe(String(number));
      else if (!found.has(at)) expect(answered.get(at)).not.toBe(number);
      else {
        expect(Number(await contentOf(copy.caller, id, at))).toBeGreaterThanOrEqual(number);
      }
    }
    const known = new Set((await readLogs(copy.caller, id)).map((line) => line.id));
    for (const line of lines) expect(known).toContain(line.id);
  });

  it('runs alone', async () => {
    const [first, second] = await Promise.allSettled([
      backUp(options()),
      backUp({ ...options(), file: path.join(folder, 'second') }),
    ]);
    const failed = [first, second].filter(({ status }) => status === 'rejected');
    expect(failed.length).toBeLessThanOrEqual(1);
    for (const each of failed) {
      expect(String((each as PromiseRejectedResult).reason)).toContain('Another backup');
    }
  });
});
