import { describe, expect, it } from 'vitest';
import { placeOf } from '../../../source/host/backup/archive-entries.ts';

const id = '0b9f9f5e-2f6a-4c0e-9c4e-0a5d3a1f7e11-12';

const file = (name: string, size = 1) => placeOf({ name, size, type: 'file' });
const folder = (name: string) => placeOf({ name, size: 0, type: 'directory' });

describe('an entry of a backup', () => {
  it.each([
    'host.db',
    'logs.db',
    `deployments/${id}/staged/web/index.html`,
    `deployments/${id}/runs/3/web/a b/ü\\.txt`,
    `deployments/${id}/volumes/web/1/data/x`,
    `deployments/${id}/engine-volumes/web/1/data.tar`,
  ])('may be the file %j', (name) => {
    expect(file(name)).toEqual({ kind: 'file', segments: name.split('/') });
  });

  it.each([
    `deployments/${id}/staged`,
    `deployments/${id}/staged/web/`,
    `deployments/${id}/runs/1`,
    `deployments/${id}/volumes`,
    `deployments/${id}/engine-volumes/web/12`,
    `deployments/${id}/volumes/web/12/data/deep`,
  ])('may be the folder %j', (name) => {
    expect(folder(name)?.kind).toBe('folder');
  });

  it.each([
    '',
    '/',
    '/etc/passwd',
    'local-token',
    'host.db-wal',
    'host.sock',
    '.hostdeck-data-folder',
    '../host.db',
    './host.db',
    'host.db/..',
    'deployments',
    `deployments/${id}`,
    `deployments/${id}/arriving/x`,
    `deployments/${id}/staged`,
    `deployments/${id}/staged/../../../x`,
    `deployments/${id}/staged//x`,
    `deployments/${id}/staged/./x`,
    `deployments/${id}/staged/a\0b`,
    `deployments/${id}/staged/${'x'.repeat(256)}`,
    `deployments/${id}/staged/${'x/'.repeat(200)}x`,
    `deployments/${id}/runs/0/web/x`,
    `deployments/${id}/runs/01/web/x`,
    `deployments/${id}/runs/3`,
    `deployments/../${id}/staged/x`,
    `deployments/${id}/volumes/web/1/data`,
    `deployments/${id}/engine-volumes/web/1/data`,
    `deployments/${id}/engine-volumes/web/1/data.tar/x`,
    `deployments/${id}/engine-volumes/web/x/data.tar`,
    `deployments/${id}/engine-volumes/web/data.tar`,
    `deployments/${id}/volumes/web/x/data/x`,
    `deployments/${id}/volumes/web/1/data/../x`,
    'deployments/nothing/staged/x',
  ])('is never the file %j', (name) => {
    expect(file(name)).toBeUndefined();
  });

  it.each(['host.db', 'hostdeck-backup.json', '..', `deployments/${id}/staged/..`])(
    'is never the folder %j',
    (name) => {
      expect(folder(name)).toBeUndefined();
    },
  );

  it('may be a link inside of a volume only', () => {
    const link = (name: string, linkname?: string, size = 0) =>
      placeOf({ name, size, type: 'symlink', linkname })?.kind;
    expect(link(`deployments/${id}/volumes/web/1/data/x`, '/etc')).toBe('link');
    expect(link(`deployments/${id}/volumes/web/1/data/x`)).toBeUndefined();
    expect(link(`deployments/${id}/volumes/web/1/data/x`, '')).toBeUndefined();
    expect(link(`deployments/${id}/volumes/web/1/data/x`, 'a\0b')).toBeUndefined();
    expect(link(`deployments/${id}/volumes/web/1/data/x`, '/etc', 1)).toBeUndefined();
    for (const name of ['host.db', 'hostdeck-backup.json', `deployments/${id}`]) {
      expect(link(name, '/etc')).toBeUndefined();
    }
    for (const rest of [
      'volumes',
      'volumes/web',
      'volumes/web/1/data',
      'engine-volumes/web/1/data.tar',
      'staged/x',
      'runs/1/web/x',
    ]) {
      expect(link(`deployments/${id}/${rest}`, '/etc')).toBeUndefined();
    }
  });

  it.each(['symlink', 'link', 'fifo', 'character-device', 'block-device'])(
    'is never of the type %s',
    (type) => {
      expect(placeOf({ name: `deployments/${id}/staged/x`, size: 0, type })).toBeUndefined();
    },
  );

  it.each([-1, 1.5, Number.NaN, 2 ** 60])('never has the size %d', (size) => {
    expect(file('host.db', size)).toBeUndefined();
  });
});
