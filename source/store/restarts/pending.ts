import type { PendingRestart } from './journal.ts';
import { type Restart, type Restarts, unappliedChanges } from './state.ts';

/** What has to be kept of the restarts, should the program end now. `name` is for people. */
export function pendingRestarts(
  restarts: Restarts,
  name: (deployment: string) => string,
): readonly PendingRestart[] {
  return [...restarts].flatMap(([id, restart]) => {
    if (restart.kind === 'owed') return [restart.entry];
    const changes = unappliedChanges(restart);
    return changes === undefined
      ? []
      : [{ deploymentId: id, name: name(id), ...changes, ...keptState(restart) }];
  });
}

/** Whether both say the same, told by the parts that a change makes anew. */
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

function keptState(restart: Exclude<Restart, { kind: 'owed' }>) {
  switch (restart.kind) {
    case 'counting':
      return { state: 'counting', deadline: restart.deadline } as const;
    // Until it is answered, nobody knows that it has arrived.
    case 'restarting':
      return { state: 'counting', deadline: restart.since } as const;
    case 'failed':
    case 'unknown':
      return { state: 'failed' } as const;
    case 'not applied':
      return { state: 'not applied' } as const;
  }
}
