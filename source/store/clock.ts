/** Time as the stores see it, handed in so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` after `milliseconds`; the returned function cancels it. */
  after(milliseconds: number, action: () => void): () => void;
}
