import type { Result } from '../../client/http/errors.ts';
import type { ChangedFile, PendingRestart } from './journal.ts';
import {
  type PendingChanges,
  mergedChanges,
  type Restart,
  type RestartDelay,
  type Restarts,
} from './state.ts';

export interface CountdownState {
  readonly delay: RestartDelay;
  readonly restarts: Restarts;
  /** File operations in flight, by deployment. */
  readonly operations: ReadonlyMap<string, number>;
  /** Nothing is counted while the person decides. */
  readonly held: boolean;
  /** Number of the newest request: an answer to an older one of a deployment counts no more. */
  readonly requests: number;
}

/** `at` is ms since the epoch. It is kept to be shown; only `due` lets time pass. */
export type RestartEvent =
  | { readonly kind: 'hold' }
  | { readonly kind: 'release'; readonly at: number }
  | DeploymentEvent;

type DeploymentEvent = { readonly deployment: string } & (
  | { readonly kind: 'changed'; readonly at: number; readonly files: readonly ChangedFile[] }
  | { readonly kind: 'operation started' }
  /** What it changed: nothing when it failed. */
  | {
      readonly kind: 'operation ended';
      readonly at: number;
      readonly files: readonly ChangedFile[];
    }
  /** The time of {@link nextStep} has passed. */
  | { readonly kind: 'due'; readonly at: number }
  | { readonly kind: 'restart-now'; readonly at: number }
  | { readonly kind: 'cancel' }
  | {
      readonly kind: 'answered';
      readonly at: number;
      readonly request: number;
      readonly result: Result<void>;
    }
  /** Closed or no longer listed: nothing is left to restart. */
  | { readonly kind: 'gone' }
);

/** Milliseconds that a count is given at least when it goes on. */
const leastLeft = 2000;

const stepLength = 1000;

/** Milliseconds until the next `due` of a count: to the next whole second of what is left. */
export function nextStep(left: number): number {
  return left % stepLength || Math.min(left, stepLength);
}

/** A machine that owes what was left over from earlier. */
export function countdownState(
  delay: RestartDelay,
  owed: readonly PendingRestart[] = [],
): CountdownState {
  const restarts = new Map<string, Restart>();
  for (const entry of owed) {
    const { deploymentId } = entry;
    // Several consoles may have left something of one deployment.
    const { files, since } = mergedChanges(restarts.get(deploymentId)?.changes, entry);
    const all = { ...entry, files, since };
    restarts.set(deploymentId, { kind: 'owed', entry: all, changes: { files, since } });
  }
  return { delay, restarts, operations: new Map(), held: false, requests: 0 };
}

/**
 * The machine after an event; the same one when nothing changes. A restart is sent by becoming
 * `restarting`, with a request number of its own: one at a time per deployment, never before the
 * delay has been counted after the last change, and none without a change unless asked for.
 * Seconds are counted, not read from a clock, so that a clock that is set neither sends a restart
 * early nor keeps it for ever.
 */
export function reduceRestarts(machine: CountdownState, event: RestartEvent): CountdownState {
  if (event.kind === 'hold') return machine.held ? machine : { ...machine, held: true };
  if (event.kind === 'release') return machine.held ? released(machine, event.at) : machine;
  return reduceDeployment(machine, event);
}

function released(machine: CountdownState, at: number): CountdownState {
  const restarts = new Map(machine.restarts);
  for (const [id, restart] of machine.restarts) {
    if (restart.kind !== 'counting') continue;
    const left = Math.max(restart.left, leastLeft);
    restarts.set(id, { ...restart, left, deadline: at + left });
  }
  return { ...machine, held: false, restarts };
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
      if (current?.kind !== 'counting' || current.left === 0 || machine.held) return machine;
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
  return counted(machine, deployment, mergedChanges(current?.changes, fresh), at);
}

/** A count from its beginning. */
function counted(
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
      ? { kind: 'not applied', changes }
      : { kind: 'counting', changes, left: delay, deadline: at + delay },
  );
}

function sentWhenDue(machine: CountdownState, deployment: string, at: number): CountdownState {
  const current = machine.restarts.get(deployment);
  const isDue = current?.kind === 'counting' && current.left === 0;
  return isDue && !machine.held && !machine.operations.has(deployment)
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
  if (current === undefined || current.kind === 'not applied') return machine;
  if (current.kind === 'restarting') {
    // Too late for the one that was sent.
    return current.later === undefined || current.laterCancelled
      ? machine
      : withRestart(machine, deployment, { ...current, laterCancelled: true });
  }
  const { changes } = current;
  const after = changes === undefined ? undefined : ({ kind: 'not applied', changes } as const);
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
    const waiting = result.ok ? later : mergedChanges(changes, later);
    return current.laterCancelled
      ? withRestart(machine, deployment, { kind: 'not applied', changes: waiting })
      : sentWhenDue(counted(machine, deployment, waiting, at), deployment, at);
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
