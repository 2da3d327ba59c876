/**
 * The cursor of a list holds an id, never a row number, so that a refresh or a sort cannot change
 * what the next key acts on (screens, rule 2).
 */
export interface Cursor {
  readonly id: string | undefined;
  /** Row the id was last seen at: where the cursor falls when its row is gone. */
  readonly index: number;
}

export const startOfList: Cursor = { id: undefined, index: 0 };

/** Row of the cursor in `ids`; -1 in an empty list. A vanished id falls to the row in its place. */
export function cursorIndex(ids: readonly string[], cursor: Cursor): number {
  if (cursor.id !== undefined) {
    if (ids[cursor.index] === cursor.id) return cursor.index;
    const found = ids.indexOf(cursor.id);
    if (found !== -1) return found;
  }
  return Math.min(Math.max(cursor.index, 0), ids.length - 1);
}

/**
 * The cursor bound to the row it is shown on, to be asked for whenever the rows change: a row that
 * nobody moved to, or that took a vanished one's place, then keeps the cursor when others come or
 * go above it. The same object when nothing changes; in an empty list the cursor keeps waiting for
 * its row.
 */
export function holdCursor(ids: readonly string[], cursor: Cursor): Cursor {
  const index = cursorIndex(ids, cursor);
  const id = ids[index];
  return id === undefined || (id === cursor.id && index === cursor.index) ? cursor : { id, index };
}

/** The cursor `by` rows further, stopping at both ends; infinite steps go to the ends. */
export function moveCursor(ids: readonly string[], cursor: Cursor, by: number): Cursor {
  return cursorAt(ids, cursorIndex(ids, cursor) + by);
}

export function cursorAt(ids: readonly string[], index: number): Cursor {
  const clamped = Math.max(0, Math.min(index, ids.length - 1));
  return { id: ids[clamped], index: clamped };
}

/**
 * First row to draw so that row `index` is inside `height` rows, moving from `top` as little as
 * possible and never leaving empty rows below the last one.
 */
export function scrollTo(top: number, index: number, height: number, count: number): number {
  if (height < 1) return 0;
  const last = Math.max(0, count - height);
  if (index < top) return Math.max(0, Math.min(index, last));
  if (index >= top + height) return Math.min(index - height + 1, last);
  return Math.max(0, Math.min(top, last));
}
