import { Box } from 'ink';
import { useLayoutEffect } from 'react';
import { useStore } from 'zustand';
import { useDeck, useGlyphs, useScreen } from '../parts/context.ts';
import { preserveScrollPosition } from './diff-steps.ts';
import { diffRows } from './diff-rows.ts';
import type { PaneArea } from '../parts/list-pane.tsx';
import { Row } from '../parts/row.tsx';

/** Pane 4: the read-only difference between a draft and the service. */
export function DiffPane({ width, height }: PaneArea) {
  const deck = useDeck();
  const state = useStore(deck.editor.difference.state);
  const { top, left } = useScreen((screen) => screen.scroll);
  const { vertical } = useGlyphs();
  useLayoutEffect(() => preserveScrollPosition(deck, width), [deck, width]);
  return (
    <Box flexDirection="column" width={width} height={height}>
      {diffRows(state, { width, height, top, left, divider: vertical }).map((line, row) => (
        // Rows are identified by their position on the screen.
        // eslint-disable-next-line react/no-array-index-key
        <Row key={row} line={line} width={width} />
      ))}
    </Box>
  );
}
