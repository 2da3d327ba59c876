import { batchSentence } from '../../store/deployments/batch-sentences.ts';
import { type BatchVerb, idsAtStep } from '../../store/deployments/batch-state.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { undoneMarks } from '../../store/deployments/marks.ts';
import { isClosed } from '../../store/deployments/deployments.ts';
import { isNewDeployment } from '../../store/drafts/places.ts';
import { unappliedChanges } from '../../store/restarts/state.ts';
import { ageSince } from '../../store/time/age.ts';
import { confirm } from '../command/confirm.ts';
import { type BatchSubject, closeQuestion, restartAllQuestion } from './close-question.ts';
import { openRestartBox } from '../restarts/control.ts';
import { deploymentUnderCursor, listedDeployment } from '../command/row-under-cursor.ts';
import type { Deployment } from '../../contract/deployments.ts';

/** The handles that most functions here use. */
type Handles = Pick<
  Deck,
  'lists' | 'clock' | 'screen' | 'messages' | 'deployments' | 'opened' | 'restarts' | 'drafts'
>;

/** `X`: closes one deployment, else the marked ones or the one under the cursor, after a box. */
export async function confirmClose(deck: Handles, id?: string): Promise<void> {
  const named = listedDeployment(deck, id);
  const selected = named === undefined ? selectedDeployments(deck) : [named];
  // A deployment that is no longer listed must not close others in its place.
  if (id !== undefined && named === undefined) return deck.messages.say('Nothing was closed.');
  const open = selected.filter((deployment) => !isClosed(deployment));
  if (selected.length === 0) return deck.messages.say('Select a deployment first.');
  if (open.length === 0) return deck.messages.say(alreadyClosedSentence(deck, selected));
  if (!checkNoBatch(deck)) return;
  const question = closeQuestion(batchSubjects(deck, open), deck.clock.serviceNow());
  // Enter after the typed name answers Cancel, which needs a message for those who meant Close.
  if ((await confirm(deck, question)) === 0) return deck.messages.say('Nothing was closed.');
  await sendBatch(deck, 'close', open);
}

/** `r`: opens the restart box of one deployment, or a box for all marked ones. */
export function confirmRestartHere(deck: Handles): void {
  const { focus, deploymentMarks } = deck.screen.getState();
  const [only, ...others] = focus === 'deployments' ? deploymentMarks : [];
  if (others.length === 0) return openRestartBox(deck, only ?? deploymentUnderCursor(deck));
  void confirmRestartAll(deck);
}

async function confirmRestartAll(deck: Handles): Promise<void> {
  const selected = selectedDeployments(deck);
  const open = selected.filter((deployment) => !isClosed(deployment));
  const [first, ...others] = open;
  if (first === undefined)
    return deck.messages.say(`${alreadyClosedSentence(deck, selected)} Nothing was restarted.`);
  if (others.length === 0) return openRestartBox(deck, first.id);
  if (!checkNoBatch(deck)) return;
  const question = restartAllQuestion(batchSubjects(deck, open), deck.clock.serviceNow());
  if ((await confirm(deck, question)) !== 0) await sendBatch(deck, 'restart', open);
}

/** Stops the batch before its next request. Returns false when there is nothing left to stop. */
export function stopBatch(deck: Pick<Deck, 'messages' | 'deployments'>): boolean {
  if (!deck.deployments.batch.stop()) return false;
  deck.messages.say('Stopped before the next; waiting for the last answer.');
  return true;
}

/** Returns whether deployments wait in the batch; if so, a message names the key that stops it. */
export function isBatchWaiting(deck: Pick<Deck, 'messages' | 'deployments'>): boolean {
  const batch = deck.deployments.batch.state.getState();
  if (batch === undefined || idsAtStep(batch, 'waiting').length === 0) return false;
  return !checkNoBatch(deck);
}

/** Returns whether no batch is running; otherwise a message says which. */
function checkNoBatch(deck: Pick<Deck, 'messages' | 'deployments'>): boolean {
  if (!deck.deployments.batch.isUnderWay()) return true;
  const verb = deck.deployments.batch.state.getState()?.verb === 'close' ? 'Closing' : 'Restarting';
  deck.messages.say(`${verb} is running. ^C stops before the next.`);
  return false;
}

async function sendBatch(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments'>,
  verb: BatchVerb,
  selected: readonly Deployment[],
): Promise<void> {
  const ids = selected.map(({ id }) => id);
  // A closed deployment may no longer be listed, and then has no name.
  const names = new Map(ids.map((id) => [id, deck.deployments.label(id)]));
  deck.screen.message.clear();
  const ended = await deck.deployments.batch.run(verb, ids);
  if (ended === undefined) return void checkNoBatch(deck);
  const { deploymentMarks } = deck.screen.getState();
  deck.screen.listViews.setDeploymentMarks(undoneMarks(deploymentMarks, ended));
  const { text, tone } = batchSentence(ended, (id) => names.get(id) ?? deck.deployments.label(id));
  deck.messages.say(text, tone);
}

/** Returns the marked deployments in the order of the list, else the one under the cursor. */
export function selectedDeployments(
  deck: Pick<Deck, 'lists' | 'screen' | 'deployments' | 'opened'>,
): readonly Deployment[] {
  const { deploymentMarks } = deck.screen.getState();
  const { rows } = deck.deployments.list.state.getState();
  const cursor = deploymentUnderCursor(deck);
  return rows
    .map(({ value }) => value)
    .filter(({ id }) => (deploymentMarks.size > 0 ? deploymentMarks.has(id) : id === cursor));
}

function batchSubjects(
  deck: Pick<Deck, 'restarts' | 'drafts'>,
  deployments: readonly Deployment[],
): readonly BatchSubject[] {
  const restarts = deck.restarts.state.getState();
  const drafts = [...deck.drafts.state.getState().drafts.values()].flatMap((draft) =>
    isNewDeployment(draft) ? [] : [draft],
  );
  return deployments.map((deployment) => {
    const restart = restarts.get(deployment.id);
    const changes = restart === undefined ? undefined : unappliedChanges(restart);
    return {
      deployment,
      changes: changes?.files.length ?? 0,
      drafts: drafts.filter(({ deploymentId }) => deploymentId === deployment.id).length,
      isCounting: restart?.kind === 'counting',
    };
  });
}

function alreadyClosedSentence(
  deck: Pick<Deck, 'clock' | 'deployments'>,
  closed: readonly Deployment[],
): string {
  const [first, ...others] = closed;
  if (first === undefined || others.length > 0) return `All ${closed.length} are already closed.`;
  const age = ageSince(first.closedAt, deck.clock.serviceNow());
  const since = age === '' ? 'is already closed' : `was closed ${age} ago`;
  return `${deck.deployments.label(first.id)} ${since} and can't be reopened.`;
}
