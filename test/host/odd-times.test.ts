import { existsSync } from 'node:fs';
import { mkdtemp, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { deploy, fieldOf } from './support/bodies.ts';
import { idle, sdlOf, temporaryHost } from './support/temporary-host.ts';

/** A file system that stores every timestamp, even one beyond the range of `Date`. */
const memory = '/dev/shm';

it.runIf(existsSync(memory))(
  'a file with a timestamp beyond the range of Date is listed and read',
  async () => {
    const dataDir = await mkdtemp(path.join(memory, 'hostdeck-times-'));
    const service = await temporaryHost({ dataDir });
    try {
      const owner = service.as('0xowner');
      const { id } = await deploy(owner, sdlOf({ web: idle }));
      const place = { id, name: 'web', path: 'a.txt' };
      await owner.call('updateFile', { ...place, json: { content: 'text' } });
      const late = 1e13;
      await utimes(path.join(dataDir, 'deployments', id, 'staged', 'web', 'a.txt'), late, late);
      const record = { path: 'a.txt', size: 4, modifiedAt: '+275760-09-13T00:00:00.000Z' };
      expect(fieldOf(await owner.call('listFiles', place), 'files')).toEqual([record]);
      expect(fieldOf(await owner.call('getFile', place), 'file')).toMatchObject(record);
    } finally {
      await service.remove();
    }
  },
);
