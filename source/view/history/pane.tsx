import { Box } from 'ink';
import { useStore } from 'zustand';
import { useDeck, useScreen } from '../parts/context.ts';
import { historyRows } from './rows.ts';
import type { PaneArea } from '../parts/list-pane.tsx';
import { Row } from '../parts/row.tsx';
import { useTextSearch } from '../parts/use-text-search.ts';
import { topWithMatch } from '../text/reveal-match.ts';
import { spansText } from '../text/fit.ts';

/** Pane 4 as the history of writes and messages. At its end it follows new entries. */
export function HistoryPane({ width, height }: PaneArea) {
  const deck = useDeck();
  const entries = useStore(deck.history.entries);
  const { top } = useScreen((screen) => screen.scroll);
  const rows = historyRows(entries, width);
  const first = Math.min(top, Math.max(0, rows.length - height));
  const { highlight } = useTextSearch(rows.map(spansText), first, (row) =>
    deck.screen.view.scrollTo({ top: topWithMatch(row, first, height) }),
  );
  return (
    <Box flexDirection="column" width={width} height={height}>
      {rows.slice(first, first + height).map((line, row) => (
        // Rows have no identity besides their position.
        // eslint-disable-next-line react/no-array-index-key
        <Row key={row} line={highlight(line)} width={width} />
      ))}
    </Box>
  );
}
