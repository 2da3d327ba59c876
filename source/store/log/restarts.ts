import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Read } from '../../client/client.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { isClosed } from '../deployments/deployments.ts';
import type { Restart, Restarts } from '../restarts/state.ts';

/** A restart that happened. `at` is ms since the epoch by the service's clock. */
export interface LogRestart {
  readonly deploymentId: string;
  readonly at: number;
  /** The service told the time; else it is that of the request, as far as clocks agree. */
  readonly isTold: boolean;
}

export type LogRestarts = readonly LogRestart[];

/** Restarts of one deployment that are remembered. */
const most = 20;

/** Of a restart asked for here, the service may tell a time that is so much later, or earlier, ms. */
const latest = 120_000;
const earliest = 2000;

/** With a restart that was asked for here and accepted. */
export function withAccepted(all: LogRestarts, deploymentId: string, at: number): LogRestarts {
  const isKnown = all.some(
    (one) => one.deploymentId === deploymentId && one.isTold && isSame(at, one.at),
  );
  return isKnown ? all : bounded(all, { deploymentId, at, isTold: false });
}

/** With the last restart as the service tells it; the same when that is known. */
export function withTold(all: LogRestarts, deploymentId: string, at: number): LogRestarts {
  const own = all.filter((one) => one.deploymentId === deploymentId);
  if (own.some((one) => one.isTold && one.at === at)) return all;
  const asked = own.findLast((one) => !one.isTold && isSame(one.at, at));
  const others = all.filter((one) => one !== asked);
  return bounded(others, { deploymentId, at, isTold: true });
}

function isSame(asked: number, told: number): boolean {
  return told >= asked - earliest && told <= asked + latest;
}

function bounded(all: LogRestarts, fresh: LogRestart): LogRestarts {
  const { deploymentId } = fresh;
  const own = all.filter((one) => one.deploymentId === deploymentId);
  const gone = own.length < most ? undefined : own[0];
  return [...all.filter((one) => one !== gone), fresh].sort((left, right) => left.at - right.at);
}

/**
 * The restarts that were seen: those that the service tells of with its deployments, whoever asked
 * for them, and those asked for here that it accepted.
 */
export function createLogRestarts(options: {
  readonly restarts: StoreApi<Restarts>;
  readonly deployments: StoreApi<{ readonly rows: readonly Read<Deployment>[] }>;
  readonly serviceNow: () => number;
}): StoreApi<LogRestarts> {
  const { restarts, deployments, serviceNow } = options;
  const state = createStore<LogRestarts>(() => []);
  /** When each request was sent, by the service's clock. */
  const sent = new Map<number, number>();

  const listed = (id: string): Deployment | undefined =>
    deployments.getState().rows.find(({ value }) => value.id === id)?.value;

  const note = (next: LogRestarts): void => {
    if (next !== state.getState()) state.setState(next, true);
  };

  restarts.subscribe((now, before) => {
    for (const [id, restart] of now) {
      if (
        restart.kind === 'restarting' &&
        before.get(id) !== restart &&
        !sent.has(restart.request)
      ) {
        sent.set(restart.request, serviceNow());
      }
    }
    for (const [id, restart] of before) {
      if (restart.kind !== 'restarting' || isUnderWay(now.get(id), restart.request)) continue;
      const at = sent.get(restart.request);
      sent.delete(restart.request);
      const deployment = listed(id);
      // Of one that was closed meanwhile nobody knows whether it was restarted.
      const isGone = deployment === undefined || isClosed(deployment);
      if (at === undefined || isGone || !isAccepted(restart, now.get(id))) continue;
      note(withAccepted(state.getState(), id, at));
    }
  });

  const readTold = (): void => {
    let next = state.getState();
    for (const { value } of deployments.getState().rows) {
      const at = Date.parse(value.restartedAt ?? '');
      if (!Number.isNaN(at)) next = withTold(next, value.id, at);
    }
    note(next);
  };
  readTold();
  deployments.subscribe(readTold);
  return state;
}

function isUnderWay(restart: Restart | undefined, request: number): boolean {
  return restart?.kind === 'restarting' && restart.request === request;
}

/** Whether the service said yes, by what the restart left; false also where that cannot be told. */
function isAccepted(
  { changes, later }: Extract<Restart, { kind: 'restarting' }>,
  after: Restart | undefined,
): boolean {
  if (after === undefined) return true;
  // After a yes, only what was changed since it was sent is left to apply.
  const isLeft = after.kind === 'counting' || after.kind === 'not applied';
  return isLeft && changes !== undefined && after.changes === later;
}
