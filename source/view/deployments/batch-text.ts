import { type Batch, isBatchRunning } from '../../store/deployments/batch-state.ts';
import { type Span, span } from '../text/line.ts';

/**
 * Returns the step of a batch for a deployment's row; undefined where the state of its restart tells
 * more. After the end of the batch, only rows that are still `marked`, for a retry, show their step.
 */
export function batchSpan(batch: Batch | undefined, id: string, marked: boolean): Span | undefined {
  const step = batch?.steps.get(id);
  if (batch === undefined || step === undefined) return undefined;
  if (!isBatchRunning(batch) && !(marked && step.kind !== 'done')) return undefined;
  const isClose = batch.verb === 'close';
  switch (step.kind) {
    case 'waiting':
      return span('waiting', 'quiet');
    case 'unsent':
      return span('not sent', 'busy');
    case 'sent':
      return isClose ? span('closing', 'busy') : undefined;
    case 'done':
      return isClose ? span('closed', 'quiet') : span('restarted', 'good');
    case 'failed':
      return isClose ? span(`failed ${step.error.status ?? ''}`.trimEnd(), 'bad') : undefined;
    case 'unknown':
      return isClose ? span('no answer', 'bad') : undefined;
  }
}
