import { expect, test } from 'vitest';
import { parseSdl } from '../../source/contract/sdl/parse.ts';
import { Deployments } from '../../source/host/deployments.ts';
import { Storage } from '../../source/host/records/storage.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ManualClock } from './support/manual-clock.ts';
import { idle, sdlOf } from './support/temporary-host.ts';

test('an undone restart is kept by the records, and its generation is never used again', () => {
  const dataDir = temporaryFolder();
  const clock = new ManualClock();
  const open = () => {
    const storage = Storage.open(dataDir);
    return { storage, deployments: new Deployments(storage, clock) };
  };
  const first = open();
  const sdl = sdlOf({ web: idle });
  const parsed = parseSdl(sdl);
  if (!('definition' in parsed)) throw new Error('the definition is wrong');
  const draft = first.deployments.insert('0xowner', sdl, parsed.definition);
  const { id } = first.deployments.complete(draft, 'running');
  const { deployments } = first;
  deployments.setApplied(id, 1);
  const failed: number[] = [];
  for (let restart = 0; restart < 3; restart += 1) {
    const generation = deployments.nextGeneration(id);
    deployments.setGeneration(id, generation);
    expect(deployments.getById(id).rollback).toBeUndefined();
    deployments.rollBack(id, 1, `failure ${restart}`);
    failed.push(generation);
  }
  expect(failed).toEqual([2, 3, 4]);
  first.storage.close();

  const next = open();
  expect(next.deployments.getById(id)).toMatchObject({
    generation: 1,
    appliedGeneration: 1,
    rollback: { generation: 4, at: clock.now(), reason: 'failure 2' },
  });
  next.deployments.setGeneration(id, next.deployments.nextGeneration(id));
  expect(next.deployments.getById(id)).toMatchObject({ generation: 5, rollback: undefined });
  next.storage.close();
});
