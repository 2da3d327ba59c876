import { batchSentence } from '../../store/deployments/batch-sentences.ts';
import { type BatchVerb, idsAtStep } from '../../store/deployments/batch-state.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { undoneMarks } from '../../store/deployments/marks.ts';
import { type Deployment, isClosed } from '../../store/deployments/deployments.ts';
import { isNewDeployment } from '../../store/drafts/places.ts';
import { unappliedChanges } from '../../store/restarts/state.ts';
import { ageSince } from '../text/age.ts';
import { confirm } from '../command/confirm.ts';
import { type BatchSubject, closeQuestion, restartAllQuestion } from './close-question.ts';
import { askRestart } from '../restarts/control.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';

/** The handles that most functions here use. */
type Handles = Pick<
  Deck,
  'clock' | 'screen' | 'messages' | 'deployments' | 'opened' | 'restarts' | 'drafts'
>;

/** `X`: closes what is marked or under the cursor, when the box is answered so. */
export async function askClose(deck: Handles): Promise<void> {
  const chosen = chosenDeployments(deck);
  const open = chosen.filter((deployment) => !isClosed(deployment));
  if (chosen.length === 0) return deck.messages.say('There is no deployment here to close.');
  if (open.length === 0) return deck.messages.say(closedText(deck, chosen));
  if (!mayStart(deck)) return;
  const question = closeQuestion(subjectsOf(deck, open), deck.clock.serviceNow());
  // Enter after the name is Cancel: whoever meant Close has to be told.
  if ((await confirm(deck, question)) === 0) return deck.messages.say('Nothing is closed.');
  await runBatch(deck, 'close', open);
}

/** `r`: asks about the deployment that the keys speak of, or about all that are marked. */
export function askRestartHere(deck: Handles): void {
  const { focus, deploymentMarks } = deck.screen.getState();
  const [only, ...others] = focus === 'deployments' ? deploymentMarks : [];
  if (others.length === 0) return askRestart(deck, only ?? deploymentUnderCursor(deck));
  void askRestartAll(deck);
}

async function askRestartAll(deck: Handles): Promise<void> {
  const chosen = chosenDeployments(deck);
  const open = chosen.filter((deployment) => !isClosed(deployment));
  const [first, ...others] = open;
  if (first === undefined)
    return deck.messages.say(`${closedText(deck, chosen)} Nothing restarts.`);
  if (others.length === 0) return askRestart(deck, first.id);
  if (!mayStart(deck)) return;
  const question = restartAllQuestion(subjectsOf(deck, open), deck.clock.serviceNow());
  if ((await confirm(deck, question)) !== 0) await runBatch(deck, 'restart', open);
}

/** Sends no further; false when there is nothing left to stop. */
export function stopBatch(deck: Pick<Deck, 'messages' | 'deployments'>): boolean {
  if (!deck.deployments.batch.stop()) return false;
  deck.messages.say('Stopped before the next; the one that was sent is waited for.');
  return true;
}

/** Whether deployments wait for their turn: says so, with the key that ends it. */
export function isBatchWaiting(deck: Pick<Deck, 'messages' | 'deployments'>): boolean {
  const batch = deck.deployments.batch.state.getState();
  if (batch === undefined || idsAtStep(batch, 'waiting').length === 0) return false;
  return !mayStart(deck);
}

/** Whether nothing is under way; says so otherwise. */
function mayStart(deck: Pick<Deck, 'messages' | 'deployments'>): boolean {
  if (!deck.deployments.batch.isUnderWay()) return true;
  const doing =
    deck.deployments.batch.state.getState()?.verb === 'close' ? 'Closing' : 'Restarting';
  deck.messages.say(`${doing} is under way. ^C stops before the next.`);
  return false;
}

async function runBatch(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments'>,
  verb: BatchVerb,
  chosen: readonly Deployment[],
): Promise<void> {
  const ids = chosen.map(({ id }) => id);
  // What is closed may no longer be listed, and so be without its name.
  const names = new Map(ids.map((id) => [id, deck.deployments.label(id)]));
  deck.screen.message.clear();
  const ended = await deck.deployments.batch.run(verb, ids);
  if (ended === undefined) return void mayStart(deck);
  const { deploymentMarks } = deck.screen.getState();
  deck.screen.lists.setDeploymentMarks(undoneMarks(deploymentMarks, ended));
  const { text, tone } = batchSentence(ended, (id) => names.get(id) ?? deck.deployments.label(id));
  deck.messages.say(text, tone);
}

/** The marked deployments in the order of the list, else the one under the cursor. */
function chosenDeployments(
  deck: Pick<Deck, 'screen' | 'deployments' | 'opened'>,
): readonly Deployment[] {
  const { deploymentMarks } = deck.screen.getState();
  const { rows } = deck.deployments.list.state.getState();
  const cursor = deploymentUnderCursor(deck);
  return rows
    .map(({ value }) => value)
    .filter(({ id }) => (deploymentMarks.size > 0 ? deploymentMarks.has(id) : id === cursor));
}

function subjectsOf(
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
      counts: restart?.kind === 'counting',
    };
  });
}

function closedText(
  deck: Pick<Deck, 'clock' | 'deployments'>,
  closed: readonly Deployment[],
): string {
  const [first, ...others] = closed;
  if (first === undefined || others.length > 0) return `All ${closed.length} are closed already.`;
  const age = ageSince(first.closedAt, deck.clock.serviceNow());
  const since = age === '' ? 'is closed already' : `was closed ${age} ago`;
  return `${deck.deployments.label(first.id)} ${since}; nothing reopens it.`;
}
