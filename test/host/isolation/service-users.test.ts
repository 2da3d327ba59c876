import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ServiceUsers } from '../../../source/host/isolation/service-users.ts';
import { blockSize } from '../../../source/host/isolation/user-blocks.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const block = 1_000_000;

describe('the user ids of deployments', () => {
  let storage: Storage;
  let users: ServiceUsers;

  beforeEach(() => {
    storage = Storage.open(temporaryFolder());
    onTestFinished(() => {
      storage.close();
    });
    users = new ServiceUsers(storage, block);
  });

  const record = (id: string, phase: string) => {
    storage
      .prepare(
        `insert into deployments (id, name, owner, warnings, phase, generation, price, carry, owed, paid,
           created_at) values (?, '', '', '[]', ?, 1, '0', '0', '0', '0', 0)`,
      )
      .run(id, phase);
  };

  it('are unique, and the same at each start', () => {
    expect(users.userOf('a')).toBe(block);
    expect(users.userOf('b')).toBe(block + 1);
    expect(users.userOf('a')).toBe(block);
    expect(new ServiceUsers(storage, block).userOf('b')).toBe(block + 1);
  });

  it('move along with the block of the host', () => {
    users.userOf('a');
    users.userOf('b');
    expect(new ServiceUsers(storage, block + blockSize).userOf('b')).toBe(block + blockSize + 1);
  });

  const release = (id: string) => {
    storage.prepare('delete from service_users where deployment = ?').run(id);
  };

  /** Assigns all numbers of the block from `from` on. */
  const fill = (from: number) => {
    storage
      .prepare(
        `with recursive numbers (number) as (
           select ?1 union all select number + 1 from numbers where number + 1 < ?2
         )
         insert into service_users (deployment, number) select 'n' || number, number from numbers`,
      )
      .run(from, blockSize);
    storage
      .prepare(
        `insert into deployments (id, name, owner, warnings, phase, generation, price, carry, owed, paid,
           created_at)
         select deployment, '', '', '[]', 'running', 1, '0', '0', '0', '0', 0 from service_users
         where number >= ?`,
      )
      .run(from);
  };

  it('of removed deployments are reused in turn, when the block was used up', () => {
    for (const id of ['a', 'b', 'c']) users.userOf(id);
    release('a');
    release('c');
    expect(users.userOf('d')).toBe(block + 3);
    fill(4);
    expect([users.userOf('e'), users.userOf('f')]).toEqual([block, block + 2]);
    release('e');
    release('d');
    expect([users.userOf('g'), users.userOf('h')]).toEqual([block + 3, block]);
  });

  it('are reused from closed deployments only, when no other is free', () => {
    for (const id of ['a', 'b', 'c']) users.userOf(id);
    record('a', 'running');
    record('b', 'closed');
    record('c', 'suspended');
    fill(3);
    expect(users.userOf('d')).toBe(block + 1);
    record('d', 'running');
    expect(users.userOf('e')).toBeUndefined();
    expect(users.userOf('c')).toBe(block + 2);
  });
});
