/**
 * The cursor of a list. It holds an id instead of a row number, so that a refresh or a sort can't
 * change the row that the next key acts on.
 */
export interface Cursor {
  /** Undefined until the person moves or acts: the cursor is on the first row, whichever that is. */
  readonly id: string | undefined;
  /** Last index of the row; the cursor stays at this index when the row is removed. */
  readonly index: number;
}

export const startOfList: Cursor = { id: undefined, index: 0 };

/** Returns the cursor's index in `ids`; -1 in an empty list. Falls back to the last known index. */
export function cursorIndex(ids: readonly string[], cursor: Cursor): number {
  if (cursor.id !== undefined) {
    if (ids[cursor.index] === cursor.id) return cursor.index;
    const index = ids.indexOf(cursor.id);
    if (index !== -1) return index;
  }
  return Math.min(Math.max(cursor.index, 0), ids.length - 1);
}

/**
 * Binds the cursor to the id of the row it is shown on; call it after each change of the rows. The
 * cursor then stays on this row when rows above are added or removed. Returns the same object when
 * nothing changes: in an empty list, and for a cursor without an id, which {@link bindCursor} binds.
 */
export function holdCursor(ids: readonly string[], cursor: Cursor): Cursor {
  return cursor.id === undefined ? cursor : bindCursor(ids, cursor);
}

/** Binds the cursor to the id of the row it is shown on, also where it was never moved. */
export function bindCursor(ids: readonly string[], cursor: Cursor): Cursor {
  const index = cursorIndex(ids, cursor);
  const id = ids[index];
  return id === undefined || (id === cursor.id && index === cursor.index) ? cursor : { id, index };
}

/** Moves the cursor by `by` rows and stops at both ends; infinite steps go to the ends. */
export function moveCursor(ids: readonly string[], cursor: Cursor, by: number): Cursor {
  return cursorAt(ids, cursorIndex(ids, cursor) + by);
}

export function cursorAt(ids: readonly string[], index: number): Cursor {
  const clamped = Math.max(0, Math.min(index, ids.length - 1));
  return { id: ids[clamped], index: clamped };
}

/**
 * Returns the first row to draw so that row `index` is visible in `height` rows. Scrolls as little as
 * possible from `top` and leaves no empty rows below the last one.
 */
export function scrollTo(top: number, index: number, height: number, count: number): number {
  if (height < 1) return 0;
  const last = Math.max(0, count - height);
  if (index < top) return Math.max(0, Math.min(index, last));
  if (index >= top + height) return Math.min(index - height + 1, last);
  return Math.max(0, Math.min(top, last));
}
