import { expect, it } from 'vitest';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { Listing } from '../../../source/store/lists/listing.ts';
import { forgetGoneDeployments } from '../../../source/store/restarts/gone-deployments.ts';
import { createFixture } from './restarts-fixture.ts';

/** Creates listings with increasing times. */
function createAnswers() {
  const { restarts, of } = createFixture();
  const listen = forgetGoneDeployments(restarts);
  let loadedAt = 0;
  let unlisted = 0;
  const answer = (...states: readonly (readonly [string, string])[]) => {
    loadedAt += 5000;
    const listing: Listing<Deployment> = {
      rows: states.map(([id, state]) => ({ value: { id, state, services: [] }, unknown: {} })),
      unlisted,
      loadedAt,
      loadingSince: undefined,
      error: undefined,
    };
    listen(listing);
    return listing;
  };
  const leaveOut = (count: number) => {
    unlisted = count;
  };
  return { restarts, of, listen, answer, leaveOut };
}

it('a restart is dropped by a listing with its deployment closed', () => {
  const { restarts, of, answer } = createAnswers();
  answer(['shop', 'active'], ['worker', 'active']);
  restarts.restart('shop');
  restarts.restart('worker');
  answer(['shop', 'closed'], ['worker', 'active']);
  expect(of('shop')).toBeUndefined();
  expect(of('worker')).toBeDefined();
});

it('a restart is dropped by the third consecutive listing without its deployment', () => {
  const { restarts, of, answer } = createAnswers();
  answer(['shop', 'active']);
  restarts.restart('shop');
  answer();
  answer();
  answer(['shop', 'active']);
  answer();
  answer();
  expect(of('shop')).toBeDefined();
  answer();
  expect(of('shop')).toBeUndefined();
});

it('a restart stays while the service leaves deployments out of its list', () => {
  const { restarts, of, answer, leaveOut } = createAnswers();
  answer(['shop', 'active']);
  restarts.restart('shop');
  leaveOut(1);
  for (let times = 0; times < 5; times += 1) answer();
  expect(of('shop')).toBeDefined();
  leaveOut(0);
  for (let times = 0; times < 3; times += 1) answer();
  expect(of('shop')).toBeUndefined();
});

it('the same answer passed twice counts once', () => {
  const { restarts, of, listen, answer } = createAnswers();
  answer(['shop', 'active']);
  restarts.restart('shop');
  const without = answer();
  listen({ ...without, loadingSince: 1 });
  listen(without);
  expect(of('shop')).toBeDefined();
});

it('a restart of a never listed deployment stays', () => {
  const { restarts, of, answer } = createAnswers();
  restarts.restart('theirs');
  for (let times = 0; times < 5; times += 1) answer(['shop', 'active']);
  expect(of('theirs')).toBeDefined();
});
