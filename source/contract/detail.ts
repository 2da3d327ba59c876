/** One thing that is wrong with a request: where, and what was expected there. */
export interface Detail {
  /** Field, query parameter or SDL path. */
  readonly field: string;
  readonly expected: string;
  /** 1-based, for documents. */
  readonly line?: number;
  readonly column?: number;
}
