/** Records of proved restarts, which this machine keeps. */
import type { Service } from '../../contract/deployments.ts';
import type { ChangedFile } from '../restarts/journal.ts';
import type { Verdict } from './judge.ts';

/** Milliseconds after the proof of a restart in which a crash is still one of this restart. */
export const crashSpan = 600_000;

/** The deployment before a restart, as far as its crashes and starts are told by it. */
export interface DeploymentBefore {
  readonly createdAt?: string | undefined;
  readonly restartedAt?: string | undefined;
  readonly services: readonly Pick<Service, 'name' | 'startedAt' | 'restarts' | 'exitCode'>[];
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
  /** False until the verdict; a proof that a console left unjudged is resumed by the next one. */
  readonly isJudged: boolean;
  /** The deployment before the restart, of an unjudged one; undefined where it is unknown. */
  readonly before?: DeploymentBefore | undefined;
  /** True when its files were restored. */
  readonly isUndone: boolean;
}

/** Keeps the records of proved restarts on this machine. */
export interface ProofRecords {
  /** Resolves with the records of a deployment, or of all, newest first. */
  read(deploymentId?: string): Promise<readonly ProofRecord[]>;
  /** Resolves with the unjudged records of consoles that have exited. */
  abandoned(): Promise<readonly ProofRecord[]>;
  /** Adds a record, or replaces that of the same restart. Resolves when it is stored or can't be. */
  write(record: ProofRecord): Promise<void>;
}
