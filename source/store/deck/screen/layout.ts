import { eachListPane, type ListPane } from '../../lists/list-panes.ts';
import type { Slice } from './slice.ts';

/** Rows that each list has to show, without its title. */
export type ListRows = Readonly<Record<ListPane, number>>;

/** Heights before a list is loaded; each list keeps them while it is empty. */
const emptyListRows: ListRows = { deployments: 5, files: 3, grants: 3 };

export const firstListRows: ListRows = eachListPane((pane) => emptyListRows[pane]);

export interface LayoutState {
  /** Columns that `+` added to the left side; negative where `-` removed some. */
  readonly widen: number;
  readonly listRows: ListRows;
}

export interface LayoutActions {
  /** Widens the left side by a number of columns; a negative number narrows it. */
  widen(columns: number): void;
  /** Sets the rows that the lists have to show. */
  setListRows(rows: ListRows): void;
}

/** Limit in columns; further steps would have no visible effect. */
const maxWidened = 40;

export function layoutActions({ set }: Slice<LayoutState>): LayoutActions {
  return {
    widen(columns) {
      set(({ widen }) => ({
        widen: Math.max(-maxWidened, Math.min(widen + columns, maxWidened)),
      }));
    },
    setListRows(listRows) {
      set((state) => (isSameRows(state.listRows, listRows) ? {} : { listRows }));
    },
  };
}

function isSameRows(left: ListRows, right: ListRows): boolean {
  return (
    left.deployments === right.deployments &&
    left.files === right.files &&
    left.grants === right.grants
  );
}
