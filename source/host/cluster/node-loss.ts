import type { EngineTask } from '../engine/swarm-api.ts';
import type { Nodes } from './nodes.ts';

/** Letters of a task's id that tell it apart, as Docker shows it. */
const shownOfId = 12;

/**
 * Returns a few words about a task whose node answers no more. Nobody knows how many lines are lost with
 * it, so the words have the time of the last one that was read.
 *
 * @param lastRead time of that line; undefined when none was read.
 */
export function describeLoss(task: EngineTask, nodes: Nodes, lastRead: string | undefined): string {
  return `${nameOf(task, nodes)} is lost; ${unreadLines(task, lastRead, 'were not read')}`;
}

/**
 * Returns a few words about a task that has ended and whose last lines the engine can't give, if there are any.
 *
 * @param lastRead as in {@link describeLoss}.
 * @param reason a few words of the engine.
 */
export function describeUnread(
  task: EngineTask,
  lastRead: string | undefined,
  reason: string,
): string {
  return `${unreadLines(task, lastRead, 'may be missing')}: ${reason}`;
}

/**
 * Returns a few words about the end of a task that its engine had forgotten when the host started.
 *
 * @param lastRead as in {@link describeLoss}.
 */
export function describeMissedEnd(
  task: Pick<EngineTask, 'id'>,
  lastRead: string | undefined,
): string {
  const lines = unreadLines(task, lastRead, 'may be missing');
  return `ended, exit code unknown: the engine had forgotten it at the host's start; ${lines}`;
}

function unreadLines(
  { id }: Pick<EngineTask, 'id'>,
  lastRead: string | undefined,
  fate: 'may be missing' | 'were not read',
): string {
  const read = lastRead === undefined ? 'no line was read' : `lines after ${lastRead} ${fate}`;
  return `of task ${id.slice(0, shownOfId)}, ${read}`;
}

/**
 * Returns a few words about an instance that runs again after the loss of its task: the engine replaces it
 * within a second or two, so nobody may have seen the instance lost.
 */
export function describeReplacement(task: EngineTask, nodes: Nodes): string {
  return `replaces the one lost with ${nameOf(task, nodes)}`;
}

/** Returns a few words about a task whose node answers again. */
export function describeReturn(task: EngineTask, nodes: Nodes): string {
  return `${nameOf(task, nodes)} is back`;
}

function nameOf(task: EngineTask, nodes: Nodes): string {
  const place = nodes.placeOf(task);
  return place === undefined ? 'its node' : `node ${place.node} (${place.address})`;
}
