import { type Batch, isBatchRunning } from '../../store/deployments/batch-state.ts';
import { type Span, span } from '../text/line.ts';

/**
 * What a batch has come to for one deployment, for its row; undefined where its restart tells more.
 * After the end only what is still `marked`, and so asked for again, keeps its word.
 */
export function batchSpan(batch: Batch | undefined, id: string, marked: boolean): Span | undefined {
  const step = batch?.steps.get(id);
  if (batch === undefined || step === undefined) return undefined;
  if (!isBatchRunning(batch) && !(marked && step.kind !== 'done')) return undefined;
  const closes = batch.verb === 'close';
  switch (step.kind) {
    case 'waiting':
      return span('waits', 'quiet');
    case 'unsent':
      return span('not sent', 'busy');
    case 'sent':
      return closes ? span('closing', 'busy') : undefined;
    case 'done':
      return closes ? span('closed', 'quiet') : span('restarted', 'good');
    case 'failed':
      return closes ? span(`failed ${step.error.status ?? ''}`.trimEnd(), 'bad') : undefined;
    case 'unknown':
      return closes ? span('no answer', 'bad') : undefined;
  }
}
