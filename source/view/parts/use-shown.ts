import { useEffect } from 'react';
import { useDeck, usePainter } from './context.ts';

/**
 * Records when an overlay appears on the terminal, because Enter must not answer it earlier, nor
 * after it is hidden, as in a terminal that became too small.
 * @param identity Changes when one box replaces another.
 */
export function useShown(identity?: object): void {
  const deck = useDeck();
  const painter = usePainter();
  useEffect(() => {
    let isMounted = true;
    const setShownAt = (shownAt: number) => deck.screen.overlay.setShownAt(shownAt);
    const recordShown = () => {
      if (isMounted) setShownAt(deck.clock.now());
    };
    if (painter === undefined) recordShown();
    else painter.afterShown(recordShown);
    return () => {
      isMounted = false;
      setShownAt(Number.POSITIVE_INFINITY);
    };
    // A box that replaces another reuses the component and must be recorded again.
    // eslint-disable-next-line react/exhaustive-deps
  }, [deck, painter, identity]);
}
