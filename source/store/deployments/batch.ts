import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient } from '../../client/client.ts';
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

/** Closes and restarts deployments one after the other, and tells how far it is. */
export interface DeploymentBatch {
  /** The last one, also when it has ended; undefined before the first. */
  readonly state: StoreApi<Batch | undefined>;
  isUnderWay(): boolean;
  /**
   * Sends to each in this order, the next when the one before is answered; gives the batch as it
   * ended. Undefined, and nothing is sent, while another one is under way.
   */
  run(verb: BatchVerb, ids: readonly string[]): Promise<Batch | undefined>;
  /** Sends no further; false when nothing waits to be sent. */
  stop(): boolean;
  /** To be told of each answered restart; true when this batch waited for it and tells of it. */
  answered(deployment: string, result: Result<void>): boolean;
  /** To be told when there is nothing left to restart in a deployment. */
  forgotten(deployment: string): void;
}

export function createDeploymentBatch(options: {
  readonly client: Pick<DeploymentsClient, 'close'>;
  readonly restarts: BatchRestarts;
  readonly deployments: Pick<DeploymentsStore, 'list'>;
}): DeploymentBatch {
  const { client, restarts } = options;
  const { list } = options.deployments;
  const state = createStore<Batch | undefined>(() => undefined);
  /** The restart that is waited for. */
  let awaited: { readonly id: string; readonly answer: (result: Result<void>) => void } | undefined;
  let isRunning = false;

  function change(next: Batch): void {
    if (state.getState() !== next) state.setState(next, true);
  }

  /** One that is under way already is as good as another: its answer is waited for. */
  function restart(id: string): Promise<Result<void>> {
    return new Promise((answer) => {
      awaited = { id, answer };
      restarts.restart(id);
    });
  }

  function answered(id: string, result: Result<void>): boolean {
    if (awaited?.id !== id) return false;
    const { answer } = awaited;
    awaited = undefined;
    answer(result);
    return true;
  }

  async function close(id: string): Promise<Result<void>> {
    const result = await client.close(id);
    if (result.ok) restarts.forget(id);
    return result;
  }

  /** A lost answer is looked for in the list; whatever it says, the list is fresh then. */
  async function lookAfter(): Promise<void> {
    const refreshed = await list.refresh();
    if (!refreshed.ok) return;
    const { rows } = list.state.getState();
    const batch = state.getState();
    if (batch === undefined) return;
    // One that is left out says nothing: a listing may slip.
    const listed = new Set(rows.flatMap(({ value }) => (isClosed(value) ? [value.id] : [])));
    const closed = idsAtStep(batch, 'unknown').filter((id) => listed.has(id));
    change(closed.reduce(foundDone, batch));
  }

  async function sendAll(verb: BatchVerb, releases: ReadonlyMap<string, () => void>) {
    for (;;) {
      const batch = state.getState();
      const next = batch === undefined ? undefined : sendNext(batch);
      if (next === undefined) break;
      change(next.batch);
      const result = await (verb === 'close' ? close(next.id) : restart(next.id));
      const after = answeredStep(state.getState() ?? next.batch, next.id, result);
      // Of an unknown outcome, a restart may be a restart of what is closed.
      if (after.steps.get(next.id)?.kind !== 'unknown') releases.get(next.id)?.();
      change(after);
    }
    if (verb === 'close') await lookAfter();
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
      // What is about to be closed is not restarted before.
      const held = verb === 'close' ? ids : [];
      const releases = new Map(held.map((id) => [id, restarts.operation(id)] as const));
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
  sentence: 'It is closed.',
  next: 'Nothing in it restarts.',
  unknownOutcome: false,
};
