import {
  bindCursor,
  type Cursor,
  cursorAt,
  cursorIndex,
  holdCursor,
  moveCursor,
  startOfList,
} from '../lists/cursor.ts';
import { eachListPane, type ListPane } from '../lists/list-panes.ts';
import type { Listing } from '../lists/listing.ts';
import type { ListSource } from '../lists/list-source.ts';
import type { ScreenStore } from './screen/screen.ts';

/** A list pane: its listing, the ids of its rows, and its cursor. */
export interface ListHandle {
  /** Returns the listing with its age and its error. */
  listing(): Listing<unknown>;
  /** True for a tree, whose rows are folders too. */
  readonly hasFolders: boolean;
  /** Returns the ids of the rows as the pane shows them; the same array for the same rows. */
  ids(): readonly string[];
  /** Returns the index of the row under the cursor; -1 in an empty list. */
  cursorIndex(): number;
  /** Returns the id of the row under the cursor; undefined in an empty list. */
  idUnderCursor(): string | undefined;
  /** Follows the row of a cursor that was moved or bound, after a change of the list. */
  holdCursor(): void;
  /** Binds the cursor to the row that the person acts on, so that it follows the row from now on. */
  bindCursor(): void;
  /** Moves the cursor by `step` rows; infinite steps go to the ends. */
  moveCursor(step: number): void;
  /** Moves the cursor to the row with this id; false when the pane does not show it. */
  moveCursorTo(id: string): boolean;
  /** Filters the rows and moves the cursor to the first match. */
  filterRows(text: string): void;
  subscribe(changed: () => void): () => void;
}

export type Lists = Readonly<Record<ListPane, ListHandle>>;

/** Returns the lists of the list panes, each with its filter, order and cursor on the screen. */
export function createLists(
  screen: ScreenStore,
  sources: Readonly<Record<ListPane, ListSource>>,
): Lists {
  return eachListPane((pane) => createListHandle(screen, pane, sources[pane]));
}

function createListHandle(screen: ScreenStore, pane: ListPane, source: ListSource): ListHandle {
  const view = () => {
    const { filters, orders } = screen.getState();
    return { filter: filters[pane], order: orders[pane] };
  };
  const ids = () => source.ids(view());
  const cursor = () => screen.getState().cursors[pane];
  const setCursor = (next: Cursor): void => {
    if (next !== cursor()) screen.listViews.setCursor(pane, next);
  };
  return {
    listing: () => source.state.getState(),
    hasFolders: source.hasFolders ?? false,
    ids,
    cursorIndex: () => cursorIndex(ids(), cursor()),
    idUnderCursor: () => ids()[cursorIndex(ids(), cursor())],
    holdCursor: () => setCursor(holdCursor(ids(), cursor())),
    bindCursor: () => setCursor(bindCursor(ids(), cursor())),
    moveCursor(step) {
      screen.listViews.setCursor(pane, moveCursor(ids(), cursor(), step));
    },
    moveCursorTo(id) {
      const index = ids().indexOf(id);
      if (index !== -1) screen.listViews.setCursor(pane, { id, index });
      return index !== -1;
    },
    filterRows(text) {
      screen.listViews.setFilter(pane, text);
      const shown = ids();
      const first = source.firstMatch?.(view()) ?? 0;
      screen.listViews.setCursor(pane, shown.length === 0 ? startOfList : cursorAt(shown, first));
    },
    subscribe: (changed) => source.subscribe(changed),
  };
}
