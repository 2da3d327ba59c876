import type { Listing } from './listing.ts';
import type { ListOrder } from './order.ts';

/** The filter and the order of a list. */
export interface ListView {
  readonly filter: string;
  readonly order: ListOrder;
}

/** The list of one noun as cursor, keys and titles use it, whatever its rows are. */
export interface ListSource {
  readonly state: { getState(): Listing<unknown> };
  /** True for a tree: its rows are folders too, so their number is no count of records. */
  readonly hasFolders?: boolean;
  /** Returns the ids of the rows in their order; the same array for the same rows. */
  ids(view: ListView): readonly string[];
  /** Returns the index of the row that a new filter moves the cursor to; absent for the first row. */
  firstMatch?(view: ListView): number;
  /** Calls `changed` when the ids may have changed. Returns the function that unsubscribes. */
  subscribe(changed: () => void): () => void;
}
