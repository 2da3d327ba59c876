import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient } from '../../client/deployments.ts';
import type { Result, ServiceError } from '../../client/http/errors.ts';
import {
  answeredStep,
  type Batch,
  type BatchVerb,
  foundDone,
  idsAtStep,
  sendNext,
  startBatch,
  stopSending,
} from './batch-state.ts';
import { type DeploymentsStore, isClosed } from './deployments.ts';

/** The restarts of all deployments, as far as a batch uses them. */
export interface BatchRestarts {
  /** Sends a restart now; false when one is under way already. */
  restart(deployment: string): boolean;
  /** Holds the restart of a deployment back until the returned function is called. */
  operation(deployment: string): () => void;
  /** Drops the restart of a deployment that is closed. */
  forget(deployment: string): void;
}

/** Closes and restarts deployments one after the other. */
export interface DeploymentBatch {
  /** The last batch, running or ended; undefined before the first. */
  readonly state: StoreApi<Batch | undefined>;
  isUnderWay(): boolean;
  /**
   * Sends one request for each deployment, each after the answer to the one before. Resolves with the
   * ended batch; with undefined, and without a request, while another batch is running.
   */
  run(verb: BatchVerb, ids: readonly string[]): Promise<Batch | undefined>;
  /** Sends no further requests; false when none is waiting. */
  stop(): boolean;
  /** Passes in the answer to a restart; true when the batch waited for it and reports it. */
  answered(deployment: string, result: Result<void>): boolean;
  /** Passes in a deployment whose restarts were dropped, because it is closed or gone. */
  forgotten(deployment: string): void;
}

/** Creates the batch operations; one batch runs at a time. */
export function createDeploymentBatch(options: {
  readonly client: Pick<DeploymentsClient, 'close'>;
  readonly restarts: BatchRestarts;
  readonly deployments: Pick<DeploymentsStore, 'list'>;
}): DeploymentBatch {
  const { client, restarts } = options;
  const { list } = options.deployments;
  const state = createStore<Batch | undefined>(() => undefined);
  /** The restart in flight. */
  let pending: { readonly id: string; readonly answer: (result: Result<void>) => void } | undefined;
  let isRunning = false;

  function change(next: Batch): void {
    if (state.getState() !== next) state.setState(next, true);
  }

  /** Restarts a deployment, or waits for the answer to a restart already in flight. */
  function restart(id: string): Promise<Result<void>> {
    return new Promise((answer) => {
      pending = { id, answer };
      restarts.restart(id);
    });
  }

  function answered(id: string, result: Result<void>): boolean {
    if (pending?.id !== id) return false;
    const { answer } = pending;
    pending = undefined;
    answer(result);
    return true;
  }

  async function close(id: string): Promise<Result<void>> {
    const result = await client.close(id);
    if (result.ok) restarts.forget(id);
    return result;
  }

  /** Refreshes the list and marks closes of unknown outcome as done when the list has them closed. */
  async function confirmCloses(): Promise<void> {
    const refreshed = await list.refresh();
    if (!refreshed.ok) return;
    const { rows } = list.state.getState();
    const batch = state.getState();
    if (batch === undefined) return;
    // A missing deployment proves nothing: a listing may omit rows.
    const closed = new Set(rows.flatMap(({ value }) => (isClosed(value) ? [value.id] : [])));
    const confirmed = idsAtStep(batch, 'unknown').filter((id) => closed.has(id));
    change(confirmed.reduce(foundDone, batch));
  }

  async function sendAll(verb: BatchVerb, releases: ReadonlyMap<string, () => void>) {
    for (;;) {
      const batch = state.getState();
      const next = batch === undefined ? undefined : sendNext(batch);
      if (next === undefined) break;
      change(next.batch);
      const result = await (verb === 'close' ? close(next.id) : restart(next.id));
      const after = answeredStep(state.getState() ?? next.batch, next.id, result);
      // After an unknown outcome, a restart could hit a closed deployment.
      if (after.steps.get(next.id)?.kind !== 'unknown') releases.get(next.id)?.();
      change(after);
    }
    if (verb === 'close') await confirmCloses();
    for (const release of releases.values()) release();
  }

  return {
    state,
    isUnderWay: () => isRunning,
    async run(verb, ids) {
      if (isRunning) return undefined;
      isRunning = true;
      const start = startBatch(verb, ids);
      change(start);
      // Deployments to be closed are not restarted meanwhile.
      const blocked = verb === 'close' ? ids : [];
      const releases = new Map(blocked.map((id) => [id, restarts.operation(id)] as const));
      try {
        await sendAll(verb, releases);
      } finally {
        isRunning = false;
      }
      return state.getState() ?? start;
    },
    stop() {
      const batch = state.getState();
      if (batch === undefined || idsAtStep(batch, 'waiting').length === 0) return false;
      change(stopSending(batch));
      return true;
    },
    answered,
    forgotten(deployment) {
      answered(deployment, { ok: false, error: goneError });
    },
  };
}

const goneError: ServiceError = {
  code: 'not-found',
  operation: 'restart deployment',
  sentence: 'The deployment is closed.',
  next: "A closed deployment can't restart.",
  unknownOutcome: false,
};
