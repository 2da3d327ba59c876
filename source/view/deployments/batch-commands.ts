import { batchSentence } from '../../store/deployments/batch-sentences.ts';
import { type BatchVerb, idsOf } from '../../store/deployments/batch-state.ts';
import type { Console } from '../../store/deck/deck.ts';
import { undoneMarks } from '../../store/deployments/marks.ts';
import { type Deployment, isClosed } from '../../store/deployments/deployments.ts';
import { isNewDeployment } from '../../store/drafts/places.ts';
import { unappliedChanges } from '../../store/restarts/state.ts';
import { ageSince } from '../text/age.ts';
import { ask } from '../command/confirm.ts';
import { type BatchSubject, closeQuestion, restartAllQuestion } from './close-question.ts';
import { askRestart } from '../restarts/commands.ts';
import { deploymentUnderCursor } from '../command/row-under-cursor.ts';

/** `X`: closes what is marked or under the cursor, when the box is answered so. */
export async function askClose(console: Console): Promise<void> {
  const chosen = chosenDeployments(console);
  const open = chosen.filter((deployment) => !isClosed(deployment));
  if (chosen.length === 0) return console.say('There is no deployment here to close.');
  if (open.length === 0) return console.say(closedText(console, chosen));
  if (!mayStart(console)) return;
  const question = closeQuestion(subjectsOf(console, open), console.serviceNow());
  // Enter after the name is Cancel: whoever meant Close has to be told.
  if ((await ask(console, question)) === 0) return console.say('Nothing is closed.');
  await runBatch(console, 'close', open);
}

/** `r`: asks about the deployment that the keys speak of, or about all that are marked. */
export function askRestartHere(console: Console): void {
  const { focus, deploymentMarks } = console.screen.getState();
  const [only, ...others] = focus === 'deployments' ? deploymentMarks : [];
  if (others.length === 0) return askRestart(console, only ?? deploymentUnderCursor(console));
  void askRestartAll(console);
}

async function askRestartAll(console: Console): Promise<void> {
  const chosen = chosenDeployments(console);
  const open = chosen.filter((deployment) => !isClosed(deployment));
  const [first, ...others] = open;
  if (first === undefined) return console.say(`${closedText(console, chosen)} Nothing restarts.`);
  if (others.length === 0) return askRestart(console, first.id);
  if (!mayStart(console)) return;
  const question = restartAllQuestion(subjectsOf(console, open), console.serviceNow());
  if ((await ask(console, question)) !== 0) await runBatch(console, 'restart', open);
}

/** Sends no further; false when there is nothing left to stop. */
export function stopBatch(console: Console): boolean {
  if (!console.batch.stop()) return false;
  console.say('Stopped before the next; the one that was sent is waited for.');
  return true;
}

/** Whether deployments wait for their turn: says so, with the key that ends it. */
export function isBatchWaiting(console: Console): boolean {
  const batch = console.batch.state.getState();
  if (batch === undefined || idsOf(batch, 'waiting').length === 0) return false;
  return !mayStart(console);
}

/** Whether nothing is under way; says so otherwise. */
function mayStart(console: Console): boolean {
  if (!console.batch.isUnderWay()) return true;
  const doing = console.batch.state.getState()?.verb === 'close' ? 'Closing' : 'Restarting';
  console.say(`${doing} is under way. ^C stops before the next.`);
  return false;
}

async function runBatch(
  console: Console,
  verb: BatchVerb,
  chosen: readonly Deployment[],
): Promise<void> {
  const ids = chosen.map(({ id }) => id);
  // What is closed may no longer be listed, and so be without its name.
  const names = new Map(ids.map((id) => [id, console.label(id)]));
  console.screen.setState({ message: undefined });
  const ended = await console.batch.run(verb, ids);
  if (ended === undefined) return void mayStart(console);
  console.screen.setState(({ deploymentMarks }) => ({
    deploymentMarks: undoneMarks(deploymentMarks, ended),
  }));
  const { text, tone } = batchSentence(ended, (id) => names.get(id) ?? console.label(id));
  console.say(text, tone);
}

/** The marked deployments in the order of the list, else the one under the cursor. */
function chosenDeployments(console: Console): readonly Deployment[] {
  const { deploymentMarks } = console.screen.getState();
  const { rows } = console.deployments.list.state.getState();
  const cursor = deploymentUnderCursor(console);
  return rows
    .map(({ value }) => value)
    .filter(({ id }) => (deploymentMarks.size > 0 ? deploymentMarks.has(id) : id === cursor));
}

function subjectsOf(console: Console, deployments: readonly Deployment[]): readonly BatchSubject[] {
  const restarts = console.restarts.state.getState();
  const drafts = [...console.drafts.state.getState().drafts.values()].flatMap((draft) =>
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

function closedText(console: Console, closed: readonly Deployment[]): string {
  const [first, ...others] = closed;
  if (first === undefined || others.length > 0) return `All ${closed.length} are closed already.`;
  const age = ageSince(first.closedAt, console.serviceNow());
  const since = age === '' ? 'is closed already' : `was closed ${age} ago`;
  return `${console.label(first.id)} ${since}; nothing reopens it.`;
}
