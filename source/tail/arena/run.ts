/**
 * A batch of lines as received: consecutive messages of the stream in `bytes`, with the columns
 * that order them. The columns may be longer than `count`.
 */
export interface Run {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** In rising order. */
  readonly places: Float64Array;
  /** Service numbers; see `ServiceNames`. */
  readonly services: Uint8Array;
}
