import type { Result, ServiceError } from '../../client/http/errors.ts';

/** What is done to several deployments, one after the other. */
export type BatchVerb = 'close' | 'restart';

export type BatchStep =
  | { readonly kind: 'waiting' }
  /** Sent, and not answered yet. */
  | { readonly kind: 'sent' }
  | { readonly kind: 'done' }
  /** Refused, or never arrived. */
  | { readonly kind: 'failed'; readonly error: ServiceError }
  /** Sent, but no answer came: it may have happened. */
  | { readonly kind: 'unknown'; readonly error: ServiceError }
  /** The person stopped before it. */
  | { readonly kind: 'unsent' };

export interface Batch {
  readonly verb: BatchVerb;
  /** By deployment, in the order they are sent. */
  readonly steps: ReadonlyMap<string, BatchStep>;
}

/** Each deployment once, none of them sent. */
export function startBatch(verb: BatchVerb, ids: readonly string[]): Batch {
  return { verb, steps: new Map(ids.map((id) => [id, { kind: 'waiting' }])) };
}

/** The batch with its next one sent; undefined while one is not answered, or when none waits. */
export function sendNext(batch: Batch): { readonly batch: Batch; readonly id: string } | undefined {
  const steps = [...batch.steps];
  if (steps.some(([, { kind }]) => kind === 'sent')) return undefined;
  const [id] = steps.find(([, { kind }]) => kind === 'waiting') ?? [];
  return id === undefined ? undefined : { id, batch: withStep(batch, id, { kind: 'sent' }) };
}

/** The batch after an answer; the same one when nothing was asked of that deployment. */
export function answeredStep(batch: Batch, id: string, result: Result<void>): Batch {
  if (batch.steps.get(id)?.kind !== 'sent') return batch;
  if (result.ok) return withStep(batch, id, { kind: 'done' });
  const { error } = result;
  return withStep(batch, id, { kind: error.unknownOutcome ? 'unknown' : 'failed', error });
}

/** What was of unknown outcome turned out to have happened. */
export function foundDone(batch: Batch, id: string): Batch {
  return batch.steps.get(id)?.kind === 'unknown' ? withStep(batch, id, { kind: 'done' }) : batch;
}

/** Nothing more is sent; what was sent is still answered. */
export function stopSending(batch: Batch): Batch {
  const waiting = idsAtStep(batch, 'waiting');
  return waiting.reduce((stopped, id) => withStep(stopped, id, { kind: 'unsent' }), batch);
}

export function isBatchRunning(batch: Batch): boolean {
  return [...batch.steps.values()].some(({ kind }) => kind === 'waiting' || kind === 'sent');
}

/** The deployments that are at such a step, in the order of the batch. */
export function idsAtStep(batch: Batch, kind: BatchStep['kind']): readonly string[] {
  return [...batch.steps].flatMap(([id, step]) => (step.kind === kind ? [id] : []));
}

function withStep(batch: Batch, id: string, step: BatchStep): Batch {
  return { ...batch, steps: new Map(batch.steps).set(id, step) };
}
