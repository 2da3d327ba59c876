import type { Result } from '../../client/http/errors.ts';
import type { ChangedFile, PendingRestart } from './journal.ts';
import {
  type PendingChanges,
  mergedChanges,
  type Restart,
  type RestartDelay,
  type Restarts,
} from './state.ts';

/** The state of all countdowns and restarts. */
export interface CountdownState {
  readonly delay: RestartDelay;
  readonly restarts: Restarts;
  /** Number of file operations in flight, by deployment. */
  readonly operations: ReadonlyMap<string, number>;
  /** True while all countdowns are paused, because the person decides. */
  readonly isPaused: boolean;
  /** Number of the newest request; answers to older requests of a deployment are ignored. */
  readonly requests: number;
}

/** An event of a countdown. `at` is ms since the epoch, for display only; `due` advances time. */
export type RestartEvent =
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume'; readonly at: number }
  /** Counts for the changes from now on. */
  | { readonly kind: 'delay'; readonly delay: RestartDelay }
  | DeploymentEvent;

type DeploymentEvent = { readonly deployment: string } & (
  | { readonly kind: 'changed'; readonly at: number; readonly files: readonly ChangedFile[] }
  | { readonly kind: 'operation started' }
  /** `files` has the changed files; it is empty after a failure. */
  | {
      readonly kind: 'operation ended';
      readonly at: number;
      readonly files: readonly ChangedFile[];
    }
  /** The step of {@link nextStep} has passed. */
  | { readonly kind: 'due'; readonly at: number }
  | { readonly kind: 'restart-now'; readonly at: number }
  | { readonly kind: 'cancel' }
  | {
      readonly kind: 'answered';
      readonly at: number;
      readonly request: number;
      readonly result: Result<void>;
    }
  /** A write that an earlier run intended turned out to have happened. */
  | { readonly kind: 'found'; readonly entry: PendingRestart }
  /** The deployment is closed or no longer listed, or was restarted by another program. */
  | { readonly kind: 'gone' }
);

/** Minimum of a resumed countdown in milliseconds. */
const minResumed = 2000;

/** Length of a step in milliseconds. */
const stepLength = 1000;

/** Returns the milliseconds until the next `due` event: to the next whole second left. */
export function nextStep(left: number): number {
  return left % stepLength || Math.min(left, stepLength);
}

/** Creates the state with the restarts that an earlier run left pending. */
export function countdownState(
  delay: RestartDelay,
  owed: readonly PendingRestart[] = [],
): CountdownState {
  const restarts = new Map<string, Restart>();
  for (const entry of owed) {
    const { deploymentId } = entry;
    // Several consoles may have left pending restarts of one deployment.
    const { files, since } = mergedChanges(restarts.get(deploymentId)?.changes, entry);
    const all = { ...entry, files, since };
    restarts.set(deploymentId, { kind: 'owed', entry: all, changes: { files, since } });
  }
  return { delay, restarts, operations: new Map(), isPaused: false, requests: 0 };
}

/**
 * Returns the state after an event; the same object when nothing changes. The state `restarting` with
 * a new request number sends a restart: one at a time per deployment, after the full delay since the
 * last change, and without a change only on request. Seconds are counted instead of read from a
 * clock, so that a change of the clock neither sends a restart early nor delays it forever.
 */
export function reduceRestarts(machine: CountdownState, event: RestartEvent): CountdownState {
  if (event.kind === 'pause') return machine.isPaused ? machine : { ...machine, isPaused: true };
  if (event.kind === 'resume') return machine.isPaused ? resumed(machine, event.at) : machine;
  if (event.kind === 'delay') {
    return machine.delay === event.delay ? machine : { ...machine, delay: event.delay };
  }
  return reduceDeployment(machine, event);
}

function resumed(machine: CountdownState, at: number): CountdownState {
  const restarts = new Map(machine.restarts);
  for (const [id, restart] of machine.restarts) {
    if (restart.kind !== 'counting') continue;
    const left = Math.max(restart.left, minResumed);
    restarts.set(id, { ...restart, left, deadline: at + left });
  }
  return { ...machine, isPaused: false, restarts };
}

function reduceDeployment(machine: CountdownState, event: DeploymentEvent): CountdownState {
  const { deployment } = event;
  const current = machine.restarts.get(deployment);
  switch (event.kind) {
    case 'changed':
      return sentWhenDue(changed(machine, event), deployment, event.at);
    case 'operation started':
      return withOperations(machine, deployment, 1);
    case 'operation ended': {
      const after = withOperations(changed(machine, event), deployment, -1);
      return sentWhenDue(after, deployment, event.at);
    }
    case 'due': {
      if (current?.kind !== 'counting' || current.left === 0 || machine.isPaused) return machine;
      const left = current.left - nextStep(current.left);
      const after = withRestart(machine, deployment, { ...current, left });
      return sentWhenDue(after, deployment, event.at);
    }
    case 'restart-now':
      return current?.kind === 'restarting' ? machine : sent(machine, deployment, event.at);
    case 'cancel':
      return cancelled(machine, deployment);
    case 'answered':
      return answered(machine, event);
    case 'found':
      return foundWritten(machine, event.entry);
    case 'gone':
      return current === undefined ? machine : withRestart(machine, deployment, undefined);
  }
}

function changed(
  machine: CountdownState,
  event: Extract<DeploymentEvent, { kind: 'changed' | 'operation ended' }>,
): CountdownState {
  const { deployment, at, files } = event;
  if (files.length === 0) return machine;
  const current = machine.restarts.get(deployment);
  const fresh = { files, since: at };
  if (current?.kind === 'restarting') {
    return withRestart(machine, deployment, {
      ...current,
      later: mergedChanges(current.later, fresh),
      laterCancelled: false,
    });
  }
  return startCountdown(machine, deployment, mergedChanges(current?.changes, fresh), at);
}

/** Adds a write of an earlier run to the pending restart; one that is under way applies it. */
function foundWritten(machine: CountdownState, entry: PendingRestart): CountdownState {
  const { deploymentId, since } = entry;
  const fresh = { files: entry.files.map(({ service, path }) => ({ service, path })), since };
  const current = machine.restarts.get(deploymentId);
  if (current?.kind === 'restarting') return machine;
  const changes = mergedChanges(current?.changes, fresh);
  if (current !== undefined && current.kind !== 'owed')
    return withRestart(machine, deploymentId, { ...current, changes });
  const owed = { ...(current?.entry ?? { ...entry, state: 'counting' as const }), ...changes };
  return withRestart(machine, deploymentId, { kind: 'owed', entry: owed, changes });
}

/** Starts a countdown with the full delay. */
function startCountdown(
  machine: CountdownState,
  deployment: string,
  changes: PendingChanges,
  at: number,
): CountdownState {
  const { delay } = machine;
  return withRestart(
    machine,
    deployment,
    delay === 'off'
      ? { kind: 'unapplied', changes }
      : { kind: 'counting', changes, left: delay, deadline: at + delay },
  );
}

function sentWhenDue(machine: CountdownState, deployment: string, at: number): CountdownState {
  const current = machine.restarts.get(deployment);
  const isDue = current?.kind === 'counting' && current.left === 0;
  return isDue && !machine.isPaused && !machine.operations.has(deployment)
    ? sent(machine, deployment, at)
    : machine;
}

function sent(machine: CountdownState, deployment: string, at: number): CountdownState {
  const request = machine.requests + 1;
  return withRestart({ ...machine, requests: request }, deployment, {
    kind: 'restarting',
    since: at,
    request,
    changes: machine.restarts.get(deployment)?.changes,
    later: undefined,
    laterCancelled: false,
  });
}

function cancelled(machine: CountdownState, deployment: string): CountdownState {
  const current = machine.restarts.get(deployment);
  if (current === undefined || current.kind === 'unapplied') return machine;
  if (current.kind === 'restarting') {
    // The restart in flight can't be cancelled, only the one after it.
    return current.later === undefined || current.laterCancelled
      ? machine
      : withRestart(machine, deployment, { ...current, laterCancelled: true });
  }
  const { changes } = current;
  const after = changes === undefined ? undefined : ({ kind: 'unapplied', changes } as const);
  return withRestart(machine, deployment, after);
}

function answered(
  machine: CountdownState,
  event: Extract<DeploymentEvent, { kind: 'answered' }>,
): CountdownState {
  const { deployment, at, result } = event;
  const current = machine.restarts.get(deployment);
  if (current?.kind !== 'restarting' || current.request !== event.request) return machine;
  const { changes, later } = current;
  if (later !== undefined) {
    const unapplied = result.ok ? later : mergedChanges(changes, later);
    return current.laterCancelled
      ? withRestart(machine, deployment, { kind: 'unapplied', changes: unapplied })
      : sentWhenDue(startCountdown(machine, deployment, unapplied, at), deployment, at);
  }
  if (result.ok) return withRestart(machine, deployment, undefined);
  const { error } = result;
  const kind = error.unknownOutcome ? 'unknown' : 'failed';
  return withRestart(machine, deployment, { kind, at, error, changes });
}

function withRestart(
  machine: CountdownState,
  deployment: string,
  restart: Restart | undefined,
): CountdownState {
  const restarts = new Map(machine.restarts);
  if (restart === undefined) restarts.delete(deployment);
  else restarts.set(deployment, restart);
  return { ...machine, restarts };
}

function withOperations(machine: CountdownState, deployment: string, step: 1 | -1): CountdownState {
  const operations = new Map(machine.operations);
  const count = (operations.get(deployment) ?? 0) + step;
  if (count > 0) operations.set(deployment, count);
  else operations.delete(deployment);
  return { ...machine, operations };
}
