import type { Restart, Restarts } from './state.ts';

/** A request for a restart that has been answered. */
export interface AnsweredRestart {
  readonly id: string;
  readonly restart: Extract<Restart, { kind: 'restarting' }>;
  /** Whether the service accepted it; false when unknown. */
  readonly isAccepted: boolean;
}

/** Returns the requests that were answered between two states. */
export function answeredRestarts(before: Restarts, now: Restarts): readonly AnsweredRestart[] {
  return [...before].flatMap(([id, restart]) => {
    if (restart.kind !== 'restarting') return [];
    const after = now.get(id);
    if (after?.kind === 'restarting' && after.request === restart.request) return [];
    return [{ id, restart, isAccepted: isAccepted(restart, after) }];
  });
}

/** Returns the requests that were sent between two states. */
export function sentRestarts(
  before: Restarts,
  now: Restarts,
): readonly Omit<AnsweredRestart, 'isAccepted'>[] {
  return [...now].flatMap(([id, restart]) => {
    if (restart.kind !== 'restarting') return [];
    const last = before.get(id);
    const isSame = last?.kind === 'restarting' && last.request === restart.request;
    return isSame ? [] : [{ id, restart }];
  });
}

/** Returns whether the service accepted a restart, by the state after it; false when unknown. */
function isAccepted(
  { changes, later }: AnsweredRestart['restart'],
  after: Restart | undefined,
): boolean {
  if (after === undefined) return true;
  // After an accepted restart, only changes made since its request remain to be applied.
  const isPending = after.kind === 'counting' || after.kind === 'unapplied';
  return isPending && changes !== undefined && after.changes === later;
}
