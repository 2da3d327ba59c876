/** One error in a request: the field and the expected value. */
export interface RequestErrorDetail {
  /** Field, query parameter or SDL path. */
  readonly field: string;
  readonly expected: string;
  /** Position in an SDL, from 1. */
  readonly line?: number;
  readonly column?: number;
}
