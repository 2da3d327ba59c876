import { useEffect } from 'react';
import { useDeck, usePainter } from './context.ts';

/**
 * Notes when what is drawn stands on the terminal: Enter is no answer before that, nor once it is
 * drawn no longer, as in a terminal that became too small.
 * @param what is another where one box follows another.
 */
export function useShown(what?: object): void {
  const deck = useDeck();
  const painter = usePainter();
  useEffect(() => {
    let isDrawn = true;
    const note = (shownAt: number) => deck.screen.overlay.setShownAt(shownAt);
    const shown = () => {
      if (isDrawn) note(deck.clock.now());
    };
    if (painter === undefined) shown();
    else painter.afterShown(shown);
    return () => {
      isDrawn = false;
      note(Number.POSITIVE_INFINITY);
    };
    // A box that follows another is drawn in its place.
    // eslint-disable-next-line react/exhaustive-deps
  }, [deck, painter, what]);
}
