/** Records of proved restarts, which this machine keeps. */
import type { ChangedFile } from '../restarts/journal.ts';
import type { Verdict } from './judge.ts';
import type { LogSample } from './sample.ts';

/** The first seconds of a service after a restart. */
export interface RecordedSample extends LogSample {
  readonly service: string;
}

/** A restart that was proved. Times are ms since the epoch. */
export interface ProofRecord {
  readonly deploymentId: string;
  /** Label of the deployment, for a later start of the program. */
  readonly name: string;
  /** Time of the request by the service's clock. */
  readonly at: number;
  /** Times of the first change that it applied, and of the request, by this machine's clock. */
  readonly changedFrom: number;
  readonly requestedAt: number;
  /** Files changed from here that it applied. */
  readonly files: readonly ChangedFile[];
  readonly verdict: Verdict;
  /** True when its files were restored. */
  readonly isUndone: boolean;
  readonly samples: readonly RecordedSample[];
}

/** Keeps the records of proved restarts on this machine. */
export interface ProofRecords {
  /** Resolves with the records of a deployment, or of all, newest first. */
  read(deploymentId?: string): Promise<readonly ProofRecord[]>;
  /** Adds a record, or replaces that of the same restart. Resolves when it is stored or can't be. */
  write(record: ProofRecord): Promise<void>;
}
