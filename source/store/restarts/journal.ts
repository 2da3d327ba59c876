/** A file whose change takes effect with a restart only. */
export interface ChangedFile {
  readonly service: string;
  readonly path: string;
}

/** A restart that a deployment still has to get, as it is kept from one start to the next. */
export interface PendingRestart {
  readonly deploymentId: string;
  /** What the deployment was called, for the sentence of the next start. */
  readonly name: string;
  /** What was changed and is not applied, each file once. */
  readonly files: readonly ChangedFile[];
  readonly state: 'counting' | 'failed' | 'not applied';
  /** Of the first change that is not applied, ms since the epoch. */
  readonly since: number;
  /** When a counting one was to be sent, ms since the epoch: to be shown, never counted by. */
  readonly deadline?: number;
}

/** Keeps what is owed, whatever ends the program. */
export interface RestartJournal {
  /**
   * Replaces all that is kept with these. Called at every change of what is owed. Resolves when they
   * are kept, or cannot be.
   */
  write(entries: readonly PendingRestart[]): Promise<void> | void;
}
