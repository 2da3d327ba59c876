import { useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { Deck } from '../../store/deck/deck.ts';
import { useDeck } from '../parts/context.ts';
import { leftWithMatch, topWithMatch } from '../text/reveal-match.ts';
import { matchPlace } from './rows/entry-rows.ts';
import { type LogRowsOptions, logStyle } from './rows/frame.ts';
import { emptyGutter } from './rows/line.ts';

/** Scrolls to each match that the search moves to, and again when lines are wrapped or not any more. */
export function useRevealedMatch(options: LogRowsOptions): void {
  const deck = useDeck();
  const jumps = useStore(options.tail.search.state, (state) => state.jumps);
  const { wrap } = options.layout;
  const shown = useRef({ jumps, wrap });
  useLayoutEffect(() => {
    if (shown.current.jumps === jumps && shown.current.wrap === wrap) return;
    shown.current = { jumps, wrap };
    revealMatch(deck, options);
  });
}

/**
 * Scrolls within the line of the match under the cursor: sideways, or down in a wrapped line that is
 * taller than the pane.
 */
function revealMatch({ screen }: Pick<Deck, 'screen'>, options: LogRowsOptions): void {
  const { tail, layout } = options;
  const { search, entries, view, reading } = tail;
  const { at } = search.state.getState();
  const entry = at === undefined ? undefined : entries.at(entries.indexOf(at));
  if (entry?.kind !== 'line' || entry.seq !== at) return;
  const place = matchPlace(entry, logStyle(options), emptyGutter, layout);
  if (place === undefined) return;
  if (!layout.wrap) {
    const width = Math.max(1, layout.width - place.fixed);
    screen.reading.setLogLeft(leftWithMatch(place.cells, screen.getState().logLeft, width));
    return;
  }
  const top = view.top();
  const before = top?.seq === at ? top.skipped : 0;
  const skipped = topWithMatch(place.row, before, layout.height);
  if (skipped === before) return;
  view.recordTop({ seq: at, skipped });
  // The cursor's row of another layout must not replace this top.
  reading.laidOut = undefined;
  // A copy of the position has the window drawn at once.
  view.restore({ ...view.position.getState() });
}
