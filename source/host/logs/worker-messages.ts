import type { LogOwner, LogRun, Selection } from './run.ts';

/** What the worker is started with. */
export interface LogWorkerData {
  readonly file: string;
  /** Of each deployment. */
  readonly bytesKept: number;
  /** The highest number that a deployment has ever had: logs of higher ones are not kept. */
  readonly newest?: number | undefined;
  /** Number of the first batch that it will get. */
  readonly next: number;
}

export type LogRequest =
  | LogBatch
  | {
      readonly kind: 'fetch';
      readonly number: number;
      readonly owner: LogOwner;
      readonly selection: Selection;
    }
  /** Ends of logs whose lines were all moved here from elsewhere; they are to outlive all. */
  | {
      readonly kind: 'moved';
      readonly number: number;
      readonly lasts: ReadonlyMap<number, number>;
    }
  | { readonly kind: 'close' };

/** Runs to be written together. Each batch has the next number. */
export interface LogBatch {
  readonly kind: 'append';
  readonly number: number;
  readonly runs: readonly LogRun[];
  /** The deployments that someone follows: their lines are wanted as frames. */
  readonly followed: readonly LogOwner[];
}

/** Lines of one deployment as WebSocket frames. */
export interface DeploymentFrames {
  readonly deployment: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type LogAnswer =
  /** The id of the last line of each deployment. */
  | { readonly kind: 'ready'; readonly lasts: ReadonlyMap<number, number> }
  | { readonly kind: 'unusable'; readonly message: string }
  | {
      readonly kind: 'written';
      readonly number: number;
      readonly frames: readonly DeploymentFrames[];
    }
  /** This batch was not written, nor will any be that has a higher number and is on its way. */
  | { readonly kind: 'refused'; readonly number: number; readonly message: string }
  | {
      readonly kind: 'answer';
      readonly number: number;
      readonly json: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string };
