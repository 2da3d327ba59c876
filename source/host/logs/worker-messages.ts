import type { LogLimits } from './retention.ts';
import type { LogOwner, LogRun, LogSelection, StoredCursor } from './run.ts';

/** Messages between the host and the log worker. */

/** The options of the worker. */
export interface LogWorkerData {
  readonly file: string;
  readonly limits: LogLimits;
  /** Highest number of a deployment so far; logs with a higher one are removed. */
  readonly newestDeployment?: number | undefined;
  /** Number of the first batch that the worker will get. */
  readonly nextBatch: number;
}

export type LogRequest =
  | LogBatch
  | {
      readonly kind: 'fetch';
      readonly number: number;
      readonly owner: LogOwner;
      readonly selection: LogSelection;
    }
  /** Last ids of logs that were moved from the host's records; answered once all is synced. */
  | {
      readonly kind: 'moved';
      readonly number: number;
      readonly lasts: ReadonlyMap<number, number>;
    }
  /** Removes the logs of these deployments; answered once that is synced. */
  | {
      readonly kind: 'remove';
      readonly number: number;
      readonly deployments: readonly number[];
    }
  /** Forgets how far sources were read; answered once that is stored. */
  | {
      readonly kind: 'forget';
      readonly number: number;
      readonly sources: readonly string[];
    }
  /** Copies the database to a new file; answered once the copy is complete. */
  | { readonly kind: 'copy'; readonly number: number; readonly file: string }
  | { readonly kind: 'close' };

/** Runs to write in one transaction. Batches are numbered consecutively. */
export interface LogBatch {
  readonly kind: 'append';
  readonly number: number;
  readonly runs: readonly LogRun[];
  /** Deployments with subscribers, whose lines are answered as frames. */
  readonly subscribed: readonly LogOwner[];
}

/** Lines of one deployment as WebSocket frames. */
export interface DeploymentFrames {
  readonly deployment: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The worker handles requests from now on. */
export interface WorkerReady {
  readonly kind: 'ready';
  /** Ids of the last lines, by the deployment's number. */
  readonly lasts: ReadonlyMap<number, number>;
  /** Places in the sources of lines, by source. */
  readonly cursors: ReadonlyMap<string, StoredCursor>;
}

export type LogAnswer =
  | WorkerReady
  | {
      readonly kind: 'unusable';
      readonly message: string;
      /** SQLite's result code. */
      readonly errcode: number | undefined;
    }
  | {
      readonly kind: 'written';
      readonly number: number;
      readonly frames: readonly DeploymentFrames[];
    }
  /** The batch was not written, nor will any later batch that is in flight. */
  | { readonly kind: 'refused'; readonly number: number; readonly message: string }
  | {
      readonly kind: 'answer';
      readonly number: number;
      readonly json: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string };
