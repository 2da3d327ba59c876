import type { ServiceError } from '../../client/http/errors.ts';
import type { ChangedFile, PendingRestart } from './journal.ts';

/** Changes that wait for a restart: each file once, and when the first was made (ms). */
export interface PendingChanges {
  readonly files: readonly ChangedFile[];
  readonly since: number;
}

/** What a deployment's restart is at. A deployment that is not listed is idle. */
export type Restart =
  | {
      readonly kind: 'counting';
      readonly changes: PendingChanges;
      /** Milliseconds that are left to count; 0 while it only waits for a file operation. */
      readonly left: number;
      /** When it is to be sent, as far as clocks can be trusted; nothing is counted by it. */
      readonly deadline: number;
    }
  | {
      readonly kind: 'restarting';
      /** When it was sent. */
      readonly since: number;
      readonly request: number;
      /** What it applies; none when it was asked for without any change. */
      readonly changes: PendingChanges | undefined;
      /** Changed since it was sent, so that it takes another one. */
      readonly later: PendingChanges | undefined;
      /** The one that the later changes take was cancelled. */
      readonly laterCancelled: boolean;
    }
  /** Refused, or never arrived: the service runs as it did. */
  | {
      readonly kind: 'failed';
      readonly at: number;
      readonly error: ServiceError;
      readonly changes: PendingChanges | undefined;
    }
  /** Sent, but no answer came: it may have happened. */
  | {
      readonly kind: 'unknown';
      readonly at: number;
      readonly error: ServiceError;
      readonly changes: PendingChanges | undefined;
    }
  /** Cancelled, or nothing is restarted by itself. */
  | { readonly kind: 'not applied'; readonly changes: PendingChanges }
  /** Left over from an earlier run of the program: offered, never sent by itself. */
  | { readonly kind: 'owed'; readonly entry: PendingRestart; readonly changes: PendingChanges };

export type Restarts = ReadonlyMap<string, Restart>;

/** Milliseconds from the last change to the restart; `off` when changes restart nothing. */
export type RestartDelay = number | 'off';

/** Both; each file once, in the order of its first change. */
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

/** All changes of which nobody has answered that they are applied. */
export function unappliedChanges(restart: Restart): PendingChanges | undefined {
  if (restart.kind !== 'restarting' || restart.later === undefined) return restart.changes;
  return mergedChanges(restart.changes, restart.later);
}
