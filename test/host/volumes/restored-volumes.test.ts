import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { RestoredVolumes } from '../../../source/host/volumes/restored-volumes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const owner = { deployment: 'd', service: 'web', instance: 1 };

it('what a backup has of a volume is found until it is in the volume', async () => {
  const dataDir = temporaryFolder();
  const volumes = new RestoredVolumes(dataDir);
  expect([volumes.folder('d'), volumes.find(owner, 'data')]).toEqual([undefined, undefined]);
  const folder = path.join(dataDir, 'deployments/d/engine-volumes');
  mkdirSync(path.join(folder, 'web/1'), { recursive: true });
  writeFileSync(path.join(folder, 'web/1/data.tar'), 'tar');
  expect(volumes.folder('d')).toBe(folder);
  expect(volumes.find({ ...owner, instance: 2 }, 'data')).toBeUndefined();
  const file = volumes.find(owner, 'data') ?? '';
  expect(file).toBe(path.join(folder, 'web/1/data.tar'));
  await volumes.remove(file);
  expect(existsSync(file)).toBe(false);
  expect(volumes.find(owner, 'data')).toBeUndefined();
});
