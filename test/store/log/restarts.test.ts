import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';
import {
  createLogRestarts,
  addAcceptedRestart,
  addReportedRestart,
} from '../../../source/store/log/restarts.ts';
import type { Restart, Restarts } from '../../../source/store/restarts/state.ts';
import { failure } from '../../servers/log-model.ts';

const changes = { files: [{ service: 'web', path: 'a' }], since: 0 };

function restarting(request: number, more: Partial<Restart> = {}): Restart {
  return {
    kind: 'restarting',
    since: 0,
    request,
    changes,
    later: undefined,
    laterCancelled: false,
    ...more,
  } as Restart;
}

function world(deployment: Partial<Deployment> = {}) {
  const restarts = createStore<Restarts>(() => new Map());
  const row = (more: Partial<Deployment>): DecodedRecord<Deployment> => ({
    value: { id: 'd', services: [], ...more },
    unknown: {},
  });
  const deployments = createStore(() => ({ rows: [row(deployment)] }));
  let now = 1000;
  const noted = createLogRestarts({
    restarts,
    deployments,
    serviceNow: () => now,
  });
  return {
    times: () => noted.getState().map(({ at, isReported }) => [at, isReported]),
    at: (time: number, restart: Restart | undefined): void => {
      now = time;
      restarts.setState(new Map(restart === undefined ? [] : [['d', restart]]), true);
    },
    list: (more: Partial<Deployment>) => deployments.setState({ rows: [row(more)] }),
  };
}

describe('log restarts', () => {
  it('include accepted restarts at the time of their request', () => {
    const { at, times } = world();
    at(5000, restarting(1));
    expect(times()).toEqual([]);
    at(6000, undefined);
    expect(times()).toEqual([[5000, false]]);
  });

  it('leave out rejected and unconfirmed restarts', () => {
    const { at, times } = world();
    const error = failure('service-error', 503);
    at(5000, restarting(1));
    at(6000, { kind: 'failed', at: 0, error, changes });
    at(7000, restarting(2));
    at(8000, { kind: 'unknown', at: 0, error, changes });
    expect(times()).toEqual([]);
  });

  it('distinguish accepted from rejected restarts when changes were made meanwhile', () => {
    const later = { files: [{ service: 'web', path: 'b' }], since: 1 };
    const { at, times } = world();
    const counting = (of: typeof later): Restart => ({
      kind: 'counting',
      changes: of,
      left: 5000,
      deadline: 0,
    });
    at(5000, restarting(1));
    at(5500, restarting(1, { later }));
    at(6000, counting({ files: [...changes.files, ...later.files], since: 0 }));
    expect(times()).toEqual([]);
    at(7000, restarting(2));
    at(7500, restarting(2, { later }));
    at(8000, counting(later));
    expect(times()).toEqual([[7000, false]]);
  });

  it('leave out deployments that were closed meanwhile', () => {
    const { at, list, times } = world();
    at(5000, restarting(1));
    list({ state: 'closed' });
    at(6000, undefined);
    expect(times()).toEqual([]);
  });

  it('include restarts that the service reports for others', () => {
    const { list, times } = world({ restartedAt: new Date(3000).toISOString() });
    expect(times()).toEqual([[3000, true]]);
    list({ restartedAt: new Date(900_000).toISOString() });
    list({ restartedAt: 'yesterday' });
    expect(times()).toEqual([
      [3000, true],
      [900_000, true],
    ]);
  });

  it('merge a request with its report, in either order', () => {
    const { at, list, times } = world();
    at(5000, restarting(1));
    at(6000, undefined);
    list({ restartedAt: new Date(5030).toISOString() });
    expect(times()).toEqual([[5030, true]]);
    at(500_000, restarting(2));
    list({ restartedAt: new Date(500_030).toISOString() });
    at(501_000, undefined);
    expect(times()).toEqual([
      [5030, true],
      [500_030, true],
    ]);
  });

  it('are limited per deployment', () => {
    let all = addReportedRestart([], 'other', 1);
    for (let at = 0; at < 100; at += 1) all = addAcceptedRestart(all, 'd', at * 1_000_000);
    expect(all.filter(({ deploymentId }) => deploymentId === 'd')).toHaveLength(20);
    expect(all.some(({ deploymentId }) => deploymentId === 'other')).toBe(true);
    expect(all.at(-1)?.at).toBe(99_000_000);
  });
});
