/** The progress of work that takes a while: said at its start and at each quarter. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { Transfer } from '../../../store/deck/screen/transfer.ts';
import { progressSentence } from '../../../store/deployments/batch-sentences.ts';
import { type Batch, isBatchRunning } from '../../../store/deployments/batch-state.ts';
import { transferLine } from '../../files/transfer-line.ts';
import { spansText } from '../../text/fit.ts';
import type { HeardFact } from './heard.ts';

/** Returns the transfer, the batch and the search of older lines that run. */
export function workFacts(deck: Deck): readonly HeardFact[] {
  const { transfer } = deck.screen.getState();
  const batch = deck.deployments.batch.state.getState();
  const progress = deck.opened.getState().tail?.reading.seek.progress.getState();
  const facts: HeardFact[] = [];
  if (transfer !== undefined) {
    const value = `${transfer.verb} ${quarterOf(...transferred(transfer))}`;
    facts.push({ key: 'transfer', value, text: spansText(transferLine(transfer)) });
  }
  if (batch !== undefined && isBatchRunning(batch)) {
    const value = `${batch.verb} ${quarterOf(answered(batch), batch.steps.size)}`;
    const text = progressSentence(batch, (id) => deck.deployments.label(id));
    facts.push({ key: 'batch', value, text });
  }
  if (progress !== undefined) facts.push({ key: 'seek', value: '', text: progress });
  return facts;
}

/** Returns which quarter of the whole is done: 0 to 4. */
function quarterOf(done: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((4 * done) / whole);
}

function transferred({ progress }: Transfer): readonly [done: number, whole: number] {
  if ('lines' in progress) return [progress.linesDone, progress.lines];
  const { bytes, bytesDone, files, filesDone } = progress;
  return bytes === undefined ? [filesDone, files] : [bytesDone, bytes];
}

function answered({ steps }: Batch): number {
  return [...steps.values()].filter(({ kind }) => kind !== 'waiting' && kind !== 'sent').length;
}
