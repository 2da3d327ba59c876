/** A changed file that takes effect with the next restart. */
export interface ChangedFile {
  readonly service: string;
  readonly path: string;
  /** The intended change, of an intended one only: the digest of a content that was to be written. */
  readonly digest?: string;
  /** The file was to be deleted. */
  readonly isDeleted?: true;
  /** The path from which the file was to be moved to `path`. */
  readonly movedFrom?: string;
  /** Bytes of a file that was to be uploaded; each file of an upload has it, and some have a digest. */
  readonly size?: number;
}

/** A pending restart, stored for the next start of the program. */
export interface PendingRestart {
  readonly deploymentId: string;
  /** Label of the deployment, for the message at the next start. */
  readonly name: string;
  /** Files with unapplied changes, each once. */
  readonly files: readonly ChangedFile[];
  /** `intended`: the change of the file was about to be requested; nobody knows whether it happened. */
  readonly state: 'counting' | 'failed' | 'unapplied' | 'intended';
  /** Time of the first unapplied change, ms since the epoch. */
  readonly since: number;
  /** End of a countdown, ms since the epoch, for display only. */
  readonly deadline?: number;
}

/** Stores the pending restarts on this machine, so that they survive the end of the program. */
export interface RestartJournal {
  /**
   * Replaces all stored entries, at each change of the pending restarts. Resolves when they are
   * stored or can't be.
   */
  write(entries: readonly PendingRestart[]): Promise<void> | void;
}
