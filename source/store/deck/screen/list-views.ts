import type { Cursor } from '../../lists/cursor.ts';
import { noMarks, toggledMark } from '../../lists/marks.ts';
import type { ListOrder, ListOrders } from '../../lists/order.ts';
import type { ListPane } from '../../lists/list-panes.ts';
import type { FocusState } from './focus.ts';
import type { OverlayState } from './overlay.ts';
import type { Slice } from './slice.ts';

export interface ListViewsState {
  readonly cursors: Readonly<Record<ListPane, Cursor>>;
  readonly filters: Readonly<Record<ListPane, string>>;
  readonly orders: ListOrders;
  /** Paths of the files and folders that are marked. */
  readonly marks: ReadonlySet<string>;
  /** Ids of the deployments that are marked. */
  readonly deploymentMarks: ReadonlySet<string>;
}

/** Cursors, filters, orders and marks of the lists. */
export interface ListViewsActions {
  setCursor(pane: ListPane, cursor: Cursor): void;
  setFilter(pane: ListPane, text: string): void;
  /** Opens the filter prompt of the focused list with an empty filter; Esc restores the previous filter. */
  openFilter(): void;
  setOrder(pane: ListPane, order: ListOrder): void;
  /** Marks a row or removes its mark, and moves the cursor of its list. */
  toggleMark(pane: 'deployments' | 'files', id: string, cursor: Cursor): void;
  setDeploymentMarks(marks: ReadonlySet<string>): void;
  setFileMarks(marks: ReadonlySet<string>): void;
  clearMarks(pane: 'deployments' | 'files'): void;
}

const markProperties = { deployments: 'deploymentMarks', files: 'marks' } as const;

export function listViewsActions(
  slice: Slice<ListViewsState & FocusState & OverlayState>,
): ListViewsActions {
  const { set } = slice;
  return {
    setCursor(pane, cursor) {
      set(({ cursors }) => ({ cursors: { ...cursors, [pane]: cursor } }));
    },
    setFilter(pane, text) {
      set(({ filters }) => ({ filters: { ...filters, [pane]: text } }));
    },
    openFilter() {
      set(({ focus: pane, filters, cursors }) => {
        if (pane === 'main') return {};
        const before = filters[pane];
        return {
          filters: { ...filters, [pane]: '' },
          overlay: { kind: 'filter', pane, before, cursor: cursors[pane], caret: 0 },
        };
      });
    },
    setOrder(pane, order) {
      set(({ orders }) => ({ orders: { ...orders, [pane]: order } }));
    },
    toggleMark(pane, id, cursor) {
      const field = markProperties[pane];
      set((state) => ({
        [field]: toggledMark(state[field], id),
        cursors: { ...state.cursors, [pane]: cursor },
      }));
    },
    setDeploymentMarks(deploymentMarks) {
      set({ deploymentMarks });
    },
    setFileMarks(marks) {
      set({ marks });
    },
    clearMarks(pane) {
      set({ [markProperties[pane]]: noMarks });
    },
  };
}
