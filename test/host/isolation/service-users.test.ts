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

  it('are reused from closed deployments only, when the block is used up', () => {
    for (const id of ['a', 'b', 'c']) users.userOf(id);
    record('a', 'running');
    record('b', 'closed');
    record('c', 'suspended');
    storage
      .prepare("insert into service_users (deployment, number) values ('last', ?)")
      .run(blockSize - 1);
    record('last', 'running');
    expect(users.userOf('d')).toBe(block + 1);
    record('d', 'running');
    expect(users.userOf('e')).toBeUndefined();
    expect(users.userOf('c')).toBe(block + 2);
  });
});
