import type { EngineTask } from '../../engine/swarm-api.ts';
import { hasEnded } from '../instances.ts';
import type { Nodes } from '../nodes.ts';

/** Returns a few words about the start of a task: its node and its port. */
export function describeStart(task: EngineTask, nodes: Nodes): string {
  const place = nodes.placeOf(task);
  const [port] = task.ports.values();
  const start = place === undefined ? 'started' : `started on ${place.node} (${place.address})`;
  return port === undefined ? start : `${start}, port ${port}`;
}

/** Returns a few words about the end of a task; one that has not ended by its state was forgotten before. */
export function describeEnd(task: EngineTask): string {
  const { state, exitCode, error } = task;
  if (!hasEnded(task)) return 'ended, exit code unknown';
  if (state === 'shutdown') return 'stopped';
  if (exitCode !== undefined && state !== 'rejected') return `exited ${exitCode}`;
  return error ?? state;
}
