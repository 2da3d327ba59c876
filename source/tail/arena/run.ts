/**
 * Lines as they came: messages of the stream that stand one behind the other in `bytes`, with what
 * is needed to order them. The lists may be longer than `count`.
 */
export interface Run {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Rising. */
  readonly places: Float64Array;
  /** Numbers of services; see `ServiceNames`. */
  readonly services: Uint8Array;
}
