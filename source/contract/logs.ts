/**
 * Number of a log entry, increasing per deployment. A `number` exactly when it is a safe integer,
 * a `bigint` above 2^53, so that `===` and `<` hold across both without losing digits.
 */
export type LogId = number | bigint;

/** A log line as the stream's frame carries it (contract, part 2, "Log message"). */
export interface LogMessage {
  readonly type: 'log';
  readonly id: LogId;
  readonly deploymentId: string;
  readonly serviceName: string;
  /** ISO 8601 UTC with fractional seconds. */
  readonly timestamp: string;
  readonly logLine: string;
  /** `stdout` is the value the contract shows; our host adds `stderr` and `system`. */
  readonly stream: string;
  /** Which of several instances of the service wrote it, counted from 1 on; our host's own. */
  readonly instance?: number | undefined;
}

/** A log line as a client may read it from any service: only the text is sure. */
export interface LogLine {
  readonly id?: LogId | undefined;
  readonly deploymentId?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly logLine: string;
  readonly stream?: string | undefined;
  readonly instance?: number | undefined;
}

/**
 * Messages of the stream that were read together, as they came: JSON in UTF-8, one behind the other
 * in `bytes`. Whoever is given them copies what he needs: their memory serves for the next ones.
 */
export interface LogFrames {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Where each begins, and where it ends. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Query of "fetch logs" (contract, part 4). All optional. */
export interface LogQuery {
  /** Maximum number of lines; the service's default is 100. */
  readonly limit?: number | undefined;
  /** First lines to skip. */
  readonly offset?: number | undefined;
  readonly service?: string | undefined;
  readonly search?: string | undefined;
}

/** Lines returned when no limit is given (contract, part 8). */
export const defaultLogLimit = 100;
