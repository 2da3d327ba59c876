/** Decides whether a deployment has reached the state that a command waits for. Pure. */
import type { Deployment } from '../../contract/deployments.ts';
import { conditionOf, isNodeLost } from '../../store/alerts/condition.ts';

/** States to wait for. */
export const waitedStates = ['active', 'failed', 'closed'] as const;
export type WaitedState = (typeof waitedStates)[number];

/** A state in which a deployment stays, or `busy` on the way to one. */
export type SettledState = WaitedState | 'busy' | 'unknown';

/** Words of services for a deployment that works. */
const working = /^(?:active|running|ready|healthy|live|up|deployed|started)$/i;

/** Words for a deployment that has ended. */
const ended = /^(?:closed|terminated|deleted|stopped|exited)$/i;

/** Word of our host for a deployment that nobody pays; it goes on only when somebody does. */
const unpaid = /^suspended$/i;

/** Returns the state in which a deployment stays; `unknown` where the service tells none. */
export function settledState(deployment: Deployment): SettledState {
  const { state } = deployment;
  if (state !== undefined && ended.test(state)) return 'closed';
  const { kind, word } = conditionOf(deployment, false, undefined);
  // Its instances start on other nodes, or when the node is back.
  if (kind === 'failed') return isNodeLost(word) ? 'busy' : 'failed';
  if (state === undefined || state === '') return 'unknown';
  if (unpaid.test(state)) return 'failed';
  return working.test(state) ? 'active' : 'busy';
}

/** The meaning of a deployment's state for a command that waits. */
export type WaitStep =
  | { readonly kind: 'waiting' }
  /** The deployment is in the state that was waited for. */
  | { readonly kind: 'reached'; readonly state: WaitedState }
  /** The deployment stays in another state. */
  | { readonly kind: 'missed'; readonly state: WaitedState }
  /** The service tells no state. */
  | { readonly kind: 'untold' };

/** Returns what a state means. Without a wanted state, `active` is reached, and others are missed. */
export function waitStep(deployment: Deployment, wanted: WaitedState | undefined): WaitStep {
  const state = settledState(deployment);
  if (state === 'unknown') return { kind: 'untold' };
  if (state === (wanted ?? 'active')) return { kind: 'reached', state };
  if (state === 'busy') return { kind: 'waiting' };
  // A failed deployment may still be closed, and an active one may fail.
  const isFinal = state === 'closed' || (state === 'failed' && wanted !== 'closed');
  return isFinal ? { kind: 'missed', state } : { kind: 'waiting' };
}

/**
 * Returns whether a record shows the restart that was requested after `before` was read. Where the
 * service tells no time of a restart or start, a record of any later request does.
 */
export function showsRestart(before: Deployment, after: Deployment): boolean {
  if (after.restartedAt !== undefined) return after.restartedAt !== before.restartedAt;
  const starts = new Map(before.services.map(({ name, startedAt }) => [name, startedAt]));
  const timed = after.services.filter(({ startedAt }) => startedAt !== undefined);
  if (timed.length === 0) return true;
  return timed.some(({ name, startedAt }) => starts.get(name) !== startedAt);
}

/** Milliseconds that a deployment must work without a new start: many fail right after one. */
const steadyTime = 2000;

/** A text that changes with every start of a service. */
export interface Steadiness {
  readonly starts: string;
  /** Time of the first record with these starts, ms since the epoch. */
  readonly since: number;
}

/**
 * Returns since when the services of an active deployment work without a new start, and whether that
 * is long enough.
 * @param now ms since the epoch, by the clock of the service.
 */
export function observeSteadiness(
  before: Steadiness | undefined,
  { services }: Deployment,
  now: number,
): Steadiness & { readonly isSteady: boolean } {
  const starts = JSON.stringify(services.map(({ startedAt, restarts }) => [startedAt, restarts]));
  const since = before?.starts === starts ? before.since : now;
  const startTimes = services.map(({ startedAt = '' }) => Date.parse(startedAt));
  const isOld = startTimes.length > 0 && startTimes.every((at) => now - at >= steadyTime);
  return { starts, since, isSteady: isOld || now - since >= steadyTime };
}
