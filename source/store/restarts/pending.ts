import type { PendingRestart } from './journal.ts';
import { type Restart, type Restarts, unappliedChanges } from './state.ts';

/**
 * Returns the journal entries of all restarts that still have to happen.
 * @param name returns the label of a deployment.
 */
export function pendingRestarts(
  restarts: Restarts,
  name: (deployment: string) => string,
): readonly PendingRestart[] {
  return [...restarts].flatMap(([id, restart]) => {
    if (restart.kind === 'owed') return [restart.entry];
    const changes = unappliedChanges(restart);
    return changes === undefined
      ? []
      : [{ deploymentId: id, name: name(id), ...changes, ...journalState(restart) }];
  });
}

/** Tells whether two lists of entries are equal; lists of files are compared by identity. */
export function isSamePending(
  one: readonly PendingRestart[],
  other: readonly PendingRestart[],
): boolean {
  const isSame = (left: PendingRestart, right: PendingRestart | undefined) =>
    left.deploymentId === right?.deploymentId &&
    left.name === right.name &&
    left.files === right.files &&
    left.state === right.state &&
    left.since === right.since &&
    left.deadline === right.deadline;
  return one.length === other.length && one.every((entry, index) => isSame(entry, other[index]));
}

function journalState(restart: Exclude<Restart, { kind: 'owed' }>) {
  switch (restart.kind) {
    case 'counting':
      return { state: 'counting', deadline: restart.deadline } as const;
    // Without an answer the restart may not have reached the service.
    case 'restarting':
      return { state: 'counting', deadline: restart.since } as const;
    case 'failed':
    case 'unknown':
      return { state: 'failed' } as const;
    case 'unapplied':
      return { state: 'unapplied' } as const;
  }
}
