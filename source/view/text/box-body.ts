import type { BodyScroll } from '../../store/prompts/body-scroll.ts';

/** The visible part of a text in a box. */
export interface BodyView {
  /** First visible row. */
  readonly top: number;
  /** Largest `top`, at which the last row is visible. */
  readonly last: number;
  /** Number of visible rows. */
  readonly page: number;
  /** Last visible row and the number of rows (`9 of 16`); undefined when all rows are visible. */
  readonly range: string | undefined;
}

/** Rows of a body that belong to its selected entry. */
export interface BodySelection {
  readonly first: number;
  readonly rows: number;
}

/**
 * Returns what `room` rows show of a body of `count` rows: the position that keys have scrolled to,
 * else the selected rows in the middle.
 */
export function bodyView(
  count: number,
  room: number,
  scroll?: BodyScroll,
  selection: BodySelection = { first: 0, rows: 1 },
): BodyView {
  const page = Math.max(0, Math.min(count, room));
  const last = count - page;
  const centred = selection.first - Math.floor(Math.max(0, page - selection.rows) / 2);
  const wanted = scroll?.isPaged === true ? scroll.top : centred;
  const top = Math.max(0, Math.min(wanted, last));
  return { top, last, page, range: last === 0 ? undefined : `${top + page} of ${count}` };
}
