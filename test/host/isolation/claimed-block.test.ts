import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimBlock } from '../../../source/host/isolation/claimed-block.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stderr.write('Tests of user ids are SKIPPED: only root can claim any.\n');

describe.skipIf(!isRoot)('a block of user ids', () => {
  let machine: string;

  beforeEach(() => {
    machine = path.join(temporaryFolder(), 'machine');
  });

  const host = (identity: string) => ({ identity, dataDir: temporaryFolder() });
  const start = (holder: ReturnType<typeof host>) => {
    const claimed = claimBlock(machine, holder);
    if ('reason' in claimed) throw new Error(claimed.reason);
    return claimed.start;
  };

  it('is unique to a host, and the same at its next start', () => {
    const [one, other] = [host('one'), host('other')];
    expect(start(other) - start(one)).not.toBe(0);
    expect(start(one)).toBe(start(one));
    expect(new Set([start(one), start(other)]).size).toBe(2);
  });

  it('needs no write at a later start, which a full disk would refuse', () => {
    const one = host('one');
    start(one);
    const { mtimeNs } = statSync(path.join(machine, 'users.db'), { bigint: true });
    start(one);
    expect(statSync(path.join(machine, 'users.db'), { bigint: true }).mtimeNs).toBe(mtimeNs);
  });

  it('stays when the data folder is moved', () => {
    const before = host('one');
    const block = start(before);
    expect(start({ identity: 'one', dataDir: temporaryFolder() })).toBe(block);
  });

  it('is reused once the data folder of its host is gone, and that host is reported', () => {
    const first = host('first');
    const block = start(first);
    rmSync(first.dataDir, { recursive: true });
    const next = claimBlock(machine, host('next'));
    expect(next).toEqual({ start: block, removedHosts: ['first'] });
  });

  it('is stored with access for root only', () => {
    start(host('one'));
    expect(statSync(machine).mode & 0o777).toBe(0o711);
    expect(statSync(path.join(machine, 'users.db')).mode & 0o777).toBe(0o600);
  });

  it('is not claimed in a folder that other users can write to', () => {
    mkdirSync(machine);
    chmodSync(machine, 0o777);
    expect(claimBlock(machine, host('one'))).toEqual({
      reason: `${machine} is not a folder that only root can write to`,
    });
  });
});
