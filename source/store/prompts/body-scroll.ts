/** Scroll position of the text in a box. Its buttons stay visible below. */
export interface BodyScroll {
  /** First visible row. */
  readonly top: number;
  /** Largest `top`, at which the last row is visible. */
  readonly last: number;
  /** Number of visible rows. */
  readonly page: number;
  /** True once a key has scrolled; before, the box shows its selected row. */
  readonly isPaged: boolean;
}

/** Returns the position a page further down (1) or up (-1). */
export function pagedBody(scroll: BodyScroll, step: 1 | -1): BodyScroll {
  const top = scroll.top + step * Math.max(1, scroll.page);
  return { ...scroll, top: Math.max(0, Math.min(top, scroll.last)), isPaged: true };
}

/** Returns true when both positions show the same rows. */
export function isSameScroll(one: BodyScroll | undefined, other: BodyScroll | undefined): boolean {
  return (
    one?.top === other?.top &&
    one?.last === other?.last &&
    one?.page === other?.page &&
    one?.isPaged === other?.isPaged
  );
}
