/** Compares a run that is worse with what was before its restart. */
import type { Deck } from '../../../store/deck/deck.ts';
import { isOpened } from '../../../store/deck/opened.ts';
import { fetchOlderLines } from '../../../store/log/reader/seek.ts';
import type { LogRestart } from '../../../store/log/restarts.ts';
import type { Tail } from '../../../store/log/tail.ts';
import type { ProofRecord } from '../../../store/proof/proof-record.ts';
import { TimeReach } from '../../../tail/log/time-walk.ts';
import { deploymentUnderCursor } from '../../command/row-under-cursor.ts';
import { openComparison } from './open-comparison.ts';

/** Handles that find a run that is worse. */
export type WorseRunHandles = Pick<Deck, 'screen' | 'lists' | 'opened' | 'proofs'>;

/** Milliseconds before the restart from which lines are wanted, and lines that are fetched at most. */
const wantedBefore = 5 * 60_000;
const mostLines = 20_000;

/** Milliseconds by which the start that a service tells may differ from the request. */
const earliestStart = -2000;
const latestStart = 120_000;

/** Returns the restart whose run is worse, of the deployment of the focused pane; undefined if none is. */
export function worseRun(deck: WorseRunHandles): ProofRecord | undefined {
  const shown = deck.proofs.state.getState().get(deploymentUnderCursor(deck) ?? '');
  return shown?.kind === 'judged' && shown.judgement.verdict === 'worse' ? shown.record : undefined;
}

/** Opens the log of a restart's deployment, and the comparison of the lines before and after it. */
export async function compareRestart(
  deck: Pick<Deck, 'clock' | 'screen' | 'opened'>,
  { deploymentId, at }: Pick<ProofRecord, 'deploymentId' | 'at'>,
): Promise<void> {
  if (!isOpened(deck.opened.getState(), deploymentId)) deck.opened.open(deploymentId);
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const restarts = tail.restarts.getState().filter((one) => one.deploymentId === deploymentId);
  const moment = restarts.find((one) => isTold(one, at))?.at ?? at;
  if (await reachBack(deck, tail, moment)) openComparison(deck, tail, moment);
}

function isTold({ at, isReported }: LogRestart, requestedAt: number): boolean {
  const after = at - requestedAt;
  return isReported && after >= earliestStart && after <= latestStart;
}

/** Fetches lines from before a moment. Resolves with false when the person has stopped it. */
async function reachBack(
  { clock }: Pick<Deck, 'clock'>,
  { log, reading }: Tail,
  moment: number,
): Promise<boolean> {
  const controller = new AbortController();
  const { signal } = controller;
  const { entries } = log;
  const reach = new TimeReach(moment - wantedBefore);
  const isEnough = (): boolean =>
    reach.isReached(entries, entries.length) || entries.length >= mostLines;
  if (isEnough()) return true;
  const seeking = reading.seek.begin(() => controller.abort());
  seeking.report('Loading the log. Esc stops.');
  while (!isEnough() && (await fetchOlderLines(log, clock, signal)) === 'grown');
  if (!signal.aborted) seeking.end();
  return !signal.aborted;
}
