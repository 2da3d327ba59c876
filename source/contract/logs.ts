/**
 * Number of a log entry, increasing in a deployment. It is a `number` if it is a safe integer and a
 * `bigint` otherwise, so that `===` and `<` compare ids exactly.
 */
export type LogId = number | bigint;

/** A log line in a frame of the stream (contract, part 2, "Log message"). */
export interface LogMessage {
  readonly type: 'log';
  readonly id: LogId;
  readonly deploymentId: string;
  readonly serviceName: string;
  /** ISO 8601 UTC with fractional seconds. */
  readonly timestamp: string;
  readonly logLine: string;
  /** `stdout` in the contract; hostdeck's own host adds `stderr` and `system`. */
  readonly stream: string;
  /** Number of the instance that wrote the line, from 1; only hostdeck's own host sends it. */
  readonly instance?: number | undefined;
  /** True for a part of a line that goes on in the next one; only hostdeck's own host sends it. */
  readonly partial?: boolean | undefined;
}

/** A log line from any service. Only the text is guaranteed. */
export interface LogLine {
  /** A text in a service whose ids are neither numbers nor digits: it tells no order. */
  readonly id?: LogId | string | undefined;
  readonly deploymentId?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly logLine: string;
  readonly stream?: string | undefined;
  readonly instance?: number | undefined;
  readonly partial?: boolean | undefined;
}

/**
 * A batch of stream messages in order of arrival: JSON in UTF-8, stored in `bytes`. Receivers must
 * copy what they keep, because the memory is reused for the next batch.
 */
export interface LogFrames {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Start and end offset of each message. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Query of "fetch logs" (contract, part 4). All fields are optional. */
export interface LogQuery {
  /** Maximum number of lines; the service's default is 100. */
  readonly limit?: number | undefined;
  /** Number of first lines to skip. */
  readonly offset?: number | undefined;
  readonly service?: string | undefined;
  readonly search?: string | undefined;
}

/** Number of lines returned without a limit (contract, part 8). */
export const defaultLogLimit = 100;

/** Logs that the rules of alerts may read at once: each of them is a stream. */
export const mostRuleLogs = 20;
