import { Box } from 'ink';
import { useLayoutEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useDeck, useGlyphs, useScreen } from '../parts/context.ts';
import { preserveScrollPosition } from './diff-steps.ts';
import { diffRows, diffTexts, firstDiffRow } from './diff-rows.ts';
import { useClickArea } from '../parts/click-map.ts';
import { fileNameOf } from '../../store/drafts/places.ts';
import type { PaneArea } from '../parts/list-pane.tsx';
import { Row } from '../parts/row.tsx';
import { useTextSearch } from '../parts/use-text-search.ts';
import { topWithMatch } from '../text/reveal-match.ts';
import type { Span } from '../text/line.ts';

/** Returns false for line numbers and the divider. */
const isText = ({ token }: Span): boolean => token !== 'quiet';

/** Pane 4: the read-only difference between a draft and the service. */
export function DiffPane({ width, height }: PaneArea) {
  const deck = useDeck();
  const state = useStore(deck.editor.difference.state);
  const { top, left } = useScreen((screen) => screen.scroll);
  const { vertical } = useGlyphs();
  useLayoutEffect(() => preserveScrollPosition(deck, width), [deck, width]);
  const rows = useMemo(() => diffTexts(state, width), [state, width]);
  const { highlight } = useTextSearch(rows, top, (row) =>
    deck.screen.view.scrollTo({ top: topWithMatch(row, top, height - 1) }),
  );
  const ref = useClickArea((_, y) => {
    const index = firstDiffRow(rows.length, top, height) + y - 1;
    if (y < 1 || state.shown === undefined || index >= rows.length) return undefined;
    const { place, before, after } = state.shown;
    return { kind: 'diff-row', sides: [fileNameOf(place), before, after].join('\n'), index };
  });
  return (
    <Box ref={ref} flexDirection="column" width={width} height={height}>
      {diffRows(state, { width, height, top, left, divider: vertical }).map((line, row) => (
        // Rows are identified by their position on the screen.
        // eslint-disable-next-line react/no-array-index-key
        <Row key={row} line={row === 0 ? line : highlight(line, isText)} width={width} />
      ))}
    </Box>
  );
}
