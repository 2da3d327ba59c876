import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Files } from '../../../source/host/files/files.ts';
import { Folder } from '../../../source/host/files/folder.ts';
import { placeFiles, writePlan } from '../../../source/host/files/placing.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const service = { deployment: 'd', service: 'web' };

let dataDir: string;
let files: Files;
let root: string;
let arriving: string;

beforeEach(async () => {
  dataDir = temporaryFolder();
  files = new Files(dataDir);
  await files.create('d', ['web']);
  root = path.join(dataDir, 'deployments', 'd', 'staged', 'web');
  arriving = path.join(dataDir, 'deployments', 'd', 'arriving', 'upload');
  await mkdir(arriving, { recursive: true });
});

async function arrive(name: string, content: string) {
  const temporary = path.join(arriving, String(Math.random()));
  await writeFile(temporary, content);
  return { path: name, temporaryPath: temporary };
}

/** Resolves with the content of each file by path. */
async function tree(): Promise<Readonly<Record<string, string>>> {
  const entriesBelow = await readdir(root, { recursive: true, withFileTypes: true });
  const entries = entriesBelow
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(root, file), await readFile(file, 'utf8')] as const;
    });
  return Object.fromEntries(await Promise.all(entries));
}

describe('files of one request', () => {
  it('are all rolled back when one cannot be moved', async () => {
    await files.write(service, 'a', 'old');
    await files.write(service, 'keep/b', 'old');
    const arrived = [
      await arrive('a', 'new'),
      await arrive('made/x', 'new'),
      await arrive('keep/b', 'new'),
      { path: 'other/c', temporaryPath: path.join(arriving, 'lost') },
    ];
    let rollbacks = 0;
    const placing = placeFiles(root, arrived, async () => {
      rollbacks += 1;
    });
    await expect(placing).rejects.toMatchObject({ code: 'ENOENT' });
    expect(rollbacks).toBe(1);
    expect(await tree()).toEqual({ a: 'old', 'keep/b': 'old' });
    expect((await readdir(root)).sort()).toEqual(['a', 'keep']);
  });

  it('keep a single moved file when syncing fails after its move', async () => {
    await files.write(service, 'a', 'old');
    const failing = vi.spyOn(Folder.prototype, 'sync').mockRejectedValueOnce(new Error('EIO'));
    await expect(files.write(service, 'a', 'new')).rejects.toThrow('EIO');
    expect(failing).toHaveBeenCalled();
    failing.mockRestore();
    expect(await tree()).toEqual({ a: 'new' });
  });

  it('are moved by the next host when a killed one had begun to move them', async () => {
    await files.write(service, 'a', 'old');
    const arrived = [
      await arrive('a', 'new'),
      await arrive('b/c', 'new'),
      await arrive('d', 'new'),
    ];
    await writePlan(arriving, 'web', arrived);
    const [first] = arrived;
    if (first !== undefined) await placeFiles(root, [first]);
    await new Files(dataDir).recover('d', 1);
    expect(await tree()).toEqual({ a: 'new', 'b/c': 'new', d: 'new' });
    expect(await readdir(path.join(dataDir, 'deployments', 'd'))).not.toContain('arriving');
  });

  it('are removed by the next host when a killed one had not begun to move them', async () => {
    await files.write(service, 'a', 'old');
    await arrive('a', 'new');
    await new Files(dataDir).recover('d', 1);
    expect(await tree()).toEqual({ a: 'old' });
  });

  it('with the same path leave the last one', async () => {
    const arrived = [await arrive('a', '1'), await arrive('a', '2')];
    expect(await placeFiles(root, arrived)).toMatchObject([{ path: 'a', size: 1 }]);
    expect(await tree()).toEqual({ a: '2' });
  });
});
