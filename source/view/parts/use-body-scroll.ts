import { useLayoutEffect } from 'react';
import type { BodyScroll } from '../../store/prompts/body-scroll.ts';
import type { BodyView } from '../text/box-body.ts';
import type { Hint } from '../text/hints.ts';
import { useDeck } from './context.ts';

/** Stores what the open box shows of its body, so that `PgUp` and `PgDn` can scroll it. */
export function useBodyScroll({ top, last, page }: BodyView, scroll: BodyScroll | undefined): void {
  const { screen } = useDeck();
  // The keys need sizes that only the drawn box knows; a passive effect could undo a later key.
  useLayoutEffect(() => {
    const isPaged = scroll?.isPaged === true;
    screen.overlay.setScroll(last === 0 ? undefined : { top, last, page, isPaged });
  });
}

/** Returns the hints of a box with the keys that scroll its body, where not all of it is visible. */
export function scrollHints(hints: readonly Hint[], { last }: BodyView): readonly Hint[] {
  const [first, ...others] = hints;
  if (last === 0 || first === undefined) return hints;
  return [first, ['PgUp/PgDn', ''], ...others];
}
