import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { isClosed } from '../deployments/deployments.ts';
import { answeredRestarts, sentRestarts } from '../restarts/accepted.ts';
import type { Restarts } from '../restarts/state.ts';

/** A restart of a deployment. `at` is ms since the epoch by the service's clock. */
export interface LogRestart {
  readonly deploymentId: string;
  readonly at: number;
  /** True when the service reported the time; else it is the time of the request. */
  readonly isReported: boolean;
}

export type LogRestarts = readonly LogRestart[];

/** Most restarts stored for one deployment. */
const maxPerDeployment = 20;

/** Milliseconds by which the time that the service reports may differ from that of the request. */
const latestOffset = 120_000;
const earliestOffset = 2000;

/** Returns the restarts with one that was requested here and accepted. */
export function addAcceptedRestart(
  all: LogRestarts,
  deploymentId: string,
  at: number,
): LogRestarts {
  const isKnown = all.some(
    (one) => one.deploymentId === deploymentId && one.isReported && isSame(at, one.at),
  );
  return isKnown ? all : withRestart(all, { deploymentId, at, isReported: false });
}

/**
 * Returns the restarts with one that the service reports; the same array when it is stored already.
 */
export function addReportedRestart(
  all: LogRestarts,
  deploymentId: string,
  at: number,
): LogRestarts {
  const own = all.filter((one) => one.deploymentId === deploymentId);
  if (own.some((one) => one.isReported && one.at === at)) return all;
  const requested = own.findLast((one) => !one.isReported && isSame(one.at, at));
  const others = all.filter((one) => one !== requested);
  return withRestart(others, { deploymentId, at, isReported: true });
}

function isSame(requestedAt: number, reportedAt: number): boolean {
  return reportedAt >= requestedAt - earliestOffset && reportedAt <= requestedAt + latestOffset;
}

function withRestart(all: LogRestarts, added: LogRestart): LogRestarts {
  const { deploymentId } = added;
  const own = all.filter((one) => one.deploymentId === deploymentId);
  const oldest = own.length < maxPerDeployment ? undefined : own[0];
  return [...all.filter((one) => one !== oldest), added].sort((left, right) => left.at - right.at);
}

/**
 * Collects restarts: those that the service reports in its list of deployments, whoever requested
 * them, and those requested here that it accepted.
 */
export function createLogRestarts(options: {
  readonly restarts: StoreApi<Restarts>;
  readonly deployments: StoreApi<{ readonly rows: readonly DecodedRecord<Deployment>[] }>;
  readonly serviceNow: () => number;
}): StoreApi<LogRestarts> {
  const { restarts, deployments, serviceNow } = options;
  const state = createStore<LogRestarts>(() => []);
  /** Time of each request by the service's clock, in ms, by the number of the request. */
  const sentAt = new Map<number, number>();

  const findListed = (id: string): Deployment | undefined =>
    deployments.getState().rows.find(({ value }) => value.id === id)?.value;

  const update = (next: LogRestarts): void => {
    if (next !== state.getState()) state.setState(next, true);
  };

  restarts.subscribe((now, before) => {
    for (const { restart } of sentRestarts(before, now)) {
      if (!sentAt.has(restart.request)) sentAt.set(restart.request, serviceNow());
    }
    for (const { id, restart, isAccepted } of answeredRestarts(before, now)) {
      const at = sentAt.get(restart.request);
      sentAt.delete(restart.request);
      const deployment = findListed(id);
      // For a deployment that was closed meanwhile, the outcome of the restart is unknown.
      const isGone = deployment === undefined || isClosed(deployment);
      if (at === undefined || isGone || !isAccepted) continue;
      update(addAcceptedRestart(state.getState(), id, at));
    }
  });

  const updateReported = (): void => {
    let next = state.getState();
    for (const { value } of deployments.getState().rows) {
      if (value.restartedAt === undefined) continue;
      const at = Date.parse(value.restartedAt);
      if (!Number.isNaN(at)) next = addReportedRestart(next, value.id, at);
    }
    update(next);
  };
  updateReported();
  deployments.subscribe((now, before) => {
    if (now.rows !== before.rows) updateReported();
  });
  return state;
}
