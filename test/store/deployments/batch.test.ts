import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../../source/client/client.ts';
import { createClient } from '../../../source/client/client.ts';
import { idsAtStep } from '../../../source/store/deployments/batch-state.ts';
import {
  createDeploymentBatch,
  type DeploymentBatch,
} from '../../../source/store/deployments/batch.ts';
import { createDeployments } from '../../../source/store/deployments/deployments.ts';
import { createRestarts, type RestartsStore } from '../../../source/store/restarts/restarts.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { deploy, readDeployment } from '../../host/support/bodies.ts';
import { idle, sdlOf, temporaryHost } from '../../host/support/temporary-host.ts';
import { startForeign } from '../../servers/foreign.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  type Meddling,
  type MeddlingProxy,
  startMeddlingProxy,
} from '../../servers/meddling-proxy.ts';

interface World {
  readonly proxy: MeddlingProxy;
  readonly batch: DeploymentBatch;
  readonly restarts: RestartsStore;
  readonly clock: TestClock;
  readonly ids: readonly string[];
  readonly state: (id: string) => Promise<string | undefined>;
  /** Returns the writes so far with the names of the deployments. */
  readonly sent: () => readonly string[];
}

async function world(
  service: { readonly baseUrl: string; readonly token: string },
  ids: readonly string[],
): Promise<World> {
  const proxy = await startMeddlingProxy(service.baseUrl);
  const client: Client = createClient({ baseUrl: proxy.baseUrl, token: service.token });
  onTestFinished(async () => {
    await client.close();
    await proxy.close();
  });
  const clock = createTestClock();
  const deployments = createDeployments({ client: client.deployments, clock });
  const restarts = createRestarts({
    client: client.deployments,
    clock,
    onAnswer: (id, result) => void batch.answered(id, result),
  });
  const batch = createDeploymentBatch({ client: client.deployments, restarts, deployments });
  return {
    proxy,
    batch,
    restarts,
    clock,
    ids,
    async state(id) {
      const read = await client.deployments.get(id);
      return read.ok ? read.value.value.state : read.error.code;
    },
    sent: () =>
      proxy.writes().map(({ path }) => {
        const [id = '', action = ''] = path.split('/').slice(-2);
        return `${action} ${ids.indexOf(id)}`;
      }),
  };
}

async function onHost(count: number): Promise<World> {
  const host = await temporaryHost();
  onTestFinished(() => host.remove());
  const owner = host.as('0xowner');
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await deploy(owner, sdlOf({ web: idle }, `shop-${index}`))).id);
  }
  await waitFor(async () => {
    const states = await Promise.all(ids.map((id) => readDeployment(owner, id)));
    expect(states.map(({ state }) => state)).toEqual(ids.map(() => 'active'));
  });
  return world({ baseUrl: host.host.baseUrl, token: owner.token }, ids);
}

async function onForeign(): Promise<World> {
  const service = await startForeign();
  onTestFinished(() => service.close());
  return world(service, [service.sample]);
}

const change = { service: 'web', path: 'a' };

describe('closing on the host', () => {
  it('closes one after the other and drops their pending restarts', async () => {
    const { batch, restarts, ids, state, sent } = await onHost(2);
    for (const id of ids) restarts.filesChanged(id, change);
    const ended = await batch.run('close', ids);
    expect(ended && idsAtStep(ended, 'done')).toEqual(ids);
    expect(sent()).toEqual(['close 0', 'close 1']);
    expect(await Promise.all(ids.map(state))).toEqual(['closed', 'closed']);
    expect(restarts.state.getState().size).toBe(0);
  });

  it('continues after a refusal, and retries only the refused one', async () => {
    const { batch, ids, proxy, state, sent } = await onHost(3);
    const [, second = ''] = ids;
    proxy.meddle = ({ path }) => (path.includes(`${second}/close`) ? { status: 503 } : 'pass');
    const ended = await batch.run('close', ids);
    expect(ended?.steps.get(second)).toMatchObject({ kind: 'failed', error: { status: 503 } });
    expect(await Promise.all(ids.map(state))).toEqual(['closed', 'active', 'closed']);
    proxy.meddle = () => 'pass';
    const again = await batch.run('close', ended === undefined ? [] : idsAtStep(ended, 'failed'));
    expect(again && idsAtStep(again, 'done')).toEqual([second]);
    expect(sent()).toEqual(['close 0', 'close 1', 'close 2', 'close 1']);
  });

  it('confirms a close without an answer by the list', async () => {
    const { batch, ids, proxy, state } = await onHost(1);
    proxy.meddle = ({ path }) =>
      path.endsWith('/close') ? 'drop when the service has answered' : 'pass';
    const ended = await batch.run('close', ids);
    expect(ended && idsAtStep(ended, 'done')).toEqual(ids);
    expect(await state(ids[0] ?? '')).toBe('closed');
  });

  it('leaves an outcome unknown that the list does not confirm, and restarts nothing meanwhile', async () => {
    const { batch, ids, proxy, restarts, clock, sent } = await onHost(1);
    const [id = ''] = ids;
    restarts.filesChanged(id, change);
    const counting = Promise.withResolvers<void>();
    proxy.meddle = async ({ path }): Promise<Meddling> => {
      if (!path.endsWith('/close')) return 'pass';
      await clock.advance(6000);
      counting.resolve();
      return 'drop before the service has it';
    };
    const running = batch.run('close', ids);
    await counting.promise;
    expect(sent()).toEqual(['close 0']);
    const ended = await running;
    expect(ended && idsAtStep(ended, 'unknown')).toEqual(ids);
    expect(restarts.state.getState().get(id)?.kind).toBe('restarting');
  });

  it('sends nothing more after a stop, and runs no second batch before the first has ended', async () => {
    const { batch, ids, proxy, state, sent } = await onHost(3);
    proxy.meddle = async ({ path }): Promise<Meddling> => {
      if (path.endsWith('/close')) {
        expect(batch.stop()).toBe(true);
        expect(batch.stop()).toBe(false);
        expect(await batch.run('restart', ids)).toBeUndefined();
      }
      return 'pass';
    };
    const ended = await batch.run('close', ids);
    expect(ended && idsAtStep(ended, 'unsent')).toEqual(ids.slice(1));
    expect(sent()).toEqual(['close 0']);
    expect(await Promise.all(ids.map(state))).toEqual(['closed', 'active', 'active']);
    expect(batch.isUnderWay()).toBe(false);
  });
});

describe('restarting on the host', () => {
  it('restarts one after the other, and reports the failed ones', async () => {
    const { batch, restarts, ids, proxy, sent } = await onHost(3);
    const [, second = '', third = ''] = ids;
    proxy.meddle = ({ path }) => {
      if (path.includes(second)) return { status: 503 };
      return path.includes(`${third}/restart`) ? 'drop when the service has answered' : 'pass';
    };
    const ended = await batch.run('restart', ids);
    expect(sent()).toEqual(['restart 0', 'restart 1', 'restart 2']);
    expect([...(ended?.steps.values() ?? [])].map(({ kind }) => kind)).toEqual([
      'done',
      'failed',
      'unknown',
    ]);
    expect(restarts.state.getState().get(second)?.kind).toBe('failed');
    expect(restarts.state.getState().get(third)?.kind).toBe('unknown');
  });

  it('waits for a restart already in flight, and sends no second one', async () => {
    const { batch, restarts, ids, sent } = await onHost(1);
    restarts.restart(ids[0] ?? '');
    const ended = await batch.run('restart', ids);
    expect(ended && idsAtStep(ended, 'done')).toEqual(ids);
    expect(sent()).toEqual(['restart 0']);
  });

  it('does not wait for a deployment closed meanwhile', async () => {
    const { batch, restarts, ids, proxy } = await onHost(2);
    const [first = ''] = ids;
    const held = Promise.withResolvers<'pass'>();
    proxy.meddle = ({ path }) => (path.includes(`${first}/restart`) ? held.promise : 'pass');
    const running = batch.run('restart', ids);
    restarts.forget(first);
    batch.forgotten(first);
    const ended = await running;
    held.resolve('pass');
    expect([...(ended?.steps.values() ?? [])].map(({ kind }) => kind)).toEqual(['failed', 'done']);
  });
});

it('on a foreign service: closes, and reports the reason of a refused second close', async () => {
  const { batch, ids, state } = await onForeign();
  const ended = await batch.run('close', ids);
  expect(ended && idsAtStep(ended, 'done')).toEqual(ids);
  expect(await state(ids[0] ?? '')).toBe('stopped');
  const again = await batch.run('close', ids);
  expect(again?.steps.get(ids[0] ?? '')).toMatchObject({ kind: 'failed', error: { status: 409 } });
});
