import type { ServiceError } from '../../client/http/errors.ts';
import type { ChangedFile, PendingRestart } from './journal.ts';

/** Unapplied changes: each file once, and the time of the first change in ms since the epoch. */
export interface PendingChanges {
  readonly files: readonly ChangedFile[];
  readonly since: number;
}

/** The state of a deployment's restart. A deployment without one has nothing to restart. */
export type Restart =
  | {
      readonly kind: 'counting';
      readonly changes: PendingChanges;
      /** Milliseconds left; 0 while the restart waits for a file operation. */
      readonly left: number;
      /** Expected end of the countdown, ms since the epoch, for display only. */
      readonly deadline: number;
    }
  | {
      readonly kind: 'restarting';
      /** Time of the request, ms since the epoch. */
      readonly since: number;
      readonly request: number;
      /** Changes that the restart applies; undefined for a restart without changes. */
      readonly changes: PendingChanges | undefined;
      /** Changes since the request, which need another restart. */
      readonly later: PendingChanges | undefined;
      /** True when the restart for the later changes was cancelled. */
      readonly laterCancelled: boolean;
    }
  /** Refused by the service or not delivered; nothing was restarted. */
  | {
      readonly kind: 'failed';
      readonly at: number;
      readonly error: ServiceError;
      readonly changes: PendingChanges | undefined;
    }
  /** Sent without an answer; the deployment may have restarted. */
  | {
      readonly kind: 'unknown';
      readonly at: number;
      readonly error: ServiceError;
      readonly changes: PendingChanges | undefined;
    }
  /** Cancelled, or automatic restarts are off. */
  | { readonly kind: 'unapplied'; readonly changes: PendingChanges }
  /** Left pending by an earlier run; the person is asked before it is sent. */
  | { readonly kind: 'owed'; readonly entry: PendingRestart; readonly changes: PendingChanges };

export type Restarts = ReadonlyMap<string, Restart>;

/** Milliseconds from the last change to the restart; `off` disables automatic restarts. */
export type RestartDelay = number | 'off';

/** Merges two sets of changes; each file once, in the order of its first change. */
export function mergedChanges(
  before: PendingChanges | undefined,
  fresh: PendingChanges,
): PendingChanges {
  if (before === undefined) return fresh;
  const added = fresh.files.filter(
    (file) => !before.files.some((one) => one.service === file.service && one.path === file.path),
  );
  return added.length === 0 ? before : { files: [...before.files, ...added], since: before.since };
}

/** Returns all changes that no answer has confirmed as applied. */
export function unappliedChanges(restart: Restart): PendingChanges | undefined {
  if (restart.kind !== 'restarting' || restart.later === undefined) return restart.changes;
  return mergedChanges(restart.changes, restart.later);
}
