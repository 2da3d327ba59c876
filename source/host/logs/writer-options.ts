import type { LogLimits } from './retention.ts';
import type { DeploymentFrames } from './worker-messages.ts';

export interface LogWriterOptions {
  /** Path of the database. */
  readonly file: string;
  readonly limits: LogLimits;
  /** Highest number of a deployment so far; logs with a higher one are removed. */
  readonly newestDeployment: number;
  /** Program of the worker; the log worker by default. */
  readonly program?: URL | undefined;
  /** Receives errors of the worker and of the disk. */
  readonly onFailure: (error: unknown) => void;
}

export interface LogWriterEvents {
  /** Called after a batch was written, with its number and the frames for subscribers. */
  written(batch: number, frames: readonly DeploymentFrames[]): void;
  /** Called when the writer accepts more, or when the disk begins to refuse writes. */
  changed(): void;
}
