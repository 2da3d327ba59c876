import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareCall } from '../../../source/host/cluster/swarm-orchestrator.ts';

/** A call whose ends the test decides. */
function sharedCall() {
  const begun: PromiseWithResolvers<number>[] = [];
  const share = shareCall(() => {
    const call = Promise.withResolvers<number>();
    begun.push(call);
    return call.promise;
  });
  return { begun, share };
}

test('all who ask while a call is under way share the next one, which begins after it', async () => {
  const { begun, share } = sharedCall();
  const first = share();
  const others = [share(), share(), share()];
  expect(begun).toHaveLength(1);
  begun[0]?.resolve(1);
  expect(await first).toBe(1);
  expect(begun).toHaveLength(2);
  const later = share();
  begun[1]?.resolve(2);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  begun[2]?.resolve(3);
  expect(await later).toBe(3);
});

test('a call that fails does so for those who share it, and for no later ones', async () => {
  const { begun, share } = sharedCall();
  const first = share();
  const second = share();
  begun[0]?.reject(new Error('no answer'));
  await expect(first).rejects.toThrow('no answer');
  begun[1]?.resolve(2);
  expect(await second).toBe(2);
});

test('a call that waits for its turn is shared, too, with one who asks upon the answer before', async () => {
  const { begun, share } = sharedCall();
  const again = share().then(() => share());
  const second = share();
  begun[0]?.resolve(1);
  await setImmediate();
  expect(begun).toHaveLength(2);
  begun[1]?.resolve(2);
  expect(await Promise.all([again, second])).toEqual([2, 2]);
});
