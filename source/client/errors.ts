/** What can go wrong between us and a service. One code, one way for the caller to react. */
export type ErrorCode =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'disconnected'
  | 'aborted'
  | 'redirected'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'invalid'
  | 'rate-limited'
  | 'service-error'
  | 'bad-request'
  | 'unreadable'
  | 'wrong-shape'
  | 'oversized-answer'
  | 'local';

/** A failed operation, as a value. Text from the service inside it is unsanitised. */
export interface ServiceError {
  readonly code: ErrorCode;
  /** The operation's title, e.g. `list files`. */
  readonly operation: string;
  readonly status?: number | undefined;
  /** What happened, for a person: one sentence. */
  readonly sentence: string;
  /** What to do next: one sentence. */
  readonly next: string;
  /** What the service itself said, when it said something. */
  readonly said?: string | undefined;
  /** Field that could not be read, e.g. `files[0].path`. */
  readonly field?: string | undefined;
  /** The answer as it came (bounded), for the detail view of `unreadable` and `wrong-shape`. */
  readonly answer?: string | undefined;
  /** Seconds the service asked to wait. */
  readonly retryAfter?: number | undefined;
  /** True when a write may have happened although no answer came. */
  readonly unknownOutcome: boolean;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ServiceError };
