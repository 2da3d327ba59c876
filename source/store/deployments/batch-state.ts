import type { Result, ServiceError } from '../../client/http/errors.ts';

/** An operation on several deployments, sent one after the other. */
export type BatchVerb = 'close' | 'restart';

export type BatchStep =
  | { readonly kind: 'waiting' }
  /** Sent and not answered yet. */
  | { readonly kind: 'sent' }
  | { readonly kind: 'done' }
  /** Refused by the service, or not delivered. */
  | { readonly kind: 'failed'; readonly error: ServiceError }
  /** Sent without an answer; it may have happened. */
  | { readonly kind: 'unknown'; readonly error: ServiceError }
  /** Not sent, because the person stopped the batch. */
  | { readonly kind: 'unsent' };

export interface Batch {
  readonly verb: BatchVerb;
  /** Steps by deployment id, in the order of sending. */
  readonly steps: ReadonlyMap<string, BatchStep>;
}

/** Returns a batch in which every deployment waits. */
export function startBatch(verb: BatchVerb, ids: readonly string[]): Batch {
  return { verb, steps: new Map(ids.map((id) => [id, { kind: 'waiting' }])) };
}

/** Marks the next deployment as sent; undefined while one is in flight or when none waits. */
export function sendNext(batch: Batch): { readonly batch: Batch; readonly id: string } | undefined {
  const steps = [...batch.steps];
  if (steps.some(([, { kind }]) => kind === 'sent')) return undefined;
  const [id] = steps.find(([, { kind }]) => kind === 'waiting') ?? [];
  return id === undefined ? undefined : { id, batch: withStep(batch, id, { kind: 'sent' }) };
}

/** Applies an answer; returns the same batch when no request of that deployment is in flight. */
export function answeredStep(batch: Batch, id: string, result: Result<void>): Batch {
  if (batch.steps.get(id)?.kind !== 'sent') return batch;
  if (result.ok) return withStep(batch, id, { kind: 'done' });
  const { error } = result;
  return withStep(batch, id, { kind: error.unknownOutcome ? 'unknown' : 'failed', error });
}

/** Marks a deployment of unknown outcome as done. */
export function foundDone(batch: Batch, id: string): Batch {
  return batch.steps.get(id)?.kind === 'unknown' ? withStep(batch, id, { kind: 'done' }) : batch;
}

/** Marks the waiting deployments as not sent; the one in flight is still answered. */
export function stopSending(batch: Batch): Batch {
  const waiting = idsAtStep(batch, 'waiting');
  return waiting.reduce((stopped, id) => withStep(stopped, id, { kind: 'unsent' }), batch);
}

export function isBatchRunning(batch: Batch): boolean {
  return [...batch.steps.values()].some(({ kind }) => kind === 'waiting' || kind === 'sent');
}

/** Returns the ids of the deployments at a step, in the order of the batch. */
export function idsAtStep(batch: Batch, kind: BatchStep['kind']): readonly string[] {
  return [...batch.steps].flatMap(([id, step]) => (step.kind === kind ? [id] : []));
}

function withStep(batch: Batch, id: string, step: BatchStep): Batch {
  return { ...batch, steps: new Map(batch.steps).set(id, step) };
}
