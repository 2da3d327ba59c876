import { Box } from 'ink';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { Deck } from '../../../store/deck/deck.ts';
import { cursorIndex, scrollTo } from '../../../store/lists/cursor.ts';
import type { Tail } from '../../../store/log/tail.ts';
import { useDeck, useScreen } from '../../parts/context.ts';
import { Document } from '../../parts/document.tsx';
import type { PaneArea } from '../../parts/list-pane.tsx';
import { Row } from '../../parts/row.tsx';
import { useServiceNow } from '../../parts/use-now.ts';
import { useTextSearch } from '../../parts/use-text-search.ts';
import { topWithMatch } from '../../text/reveal-match.ts';
import { fillLine } from '../../text/fit.ts';
import { type Line, span } from '../../text/line.ts';
import { comparedHeader, comparedRow, comparisonNotice } from './compared-rows.ts';
import { listedPatterns, patternKey, patternPaneRows } from './pattern-cursor.ts';
import { patternColumns, patternFacts, patternHeader, patternRow } from './pattern-rows.ts';

/** Pane 4 as the patterns of the opened log. */
export function PatternsPane({ area }: { readonly area: PaneArea }) {
  const { tail } = useStore(useDeck().opened);
  if (tail === undefined) {
    return <Row line={[span(' Open a deployment first.', 'quiet')]} width={area.width} />;
  }
  return <PatternTable tail={tail} area={area} />;
}

function PatternTable({ tail, area }: { readonly tail: Tail; readonly area: PaneArea }) {
  const { width, height, focused } = area;
  const deck = useDeck();
  useStore(tail.patterns.state);
  useStore(tail.patternList.state);
  useStore(tail.patternNames.state);
  const comparison = useStore(tail.comparison.state);
  const isCompared = useScreen(({ main }) => main.kind === 'patterns' && main.isCompared === true);
  const filters = useStore(tail.filter.state, (state) => state.filters);
  const times = useScreen((screen) => screen.times);
  const cursor = useScreen((screen) => screen.detailCursor);
  const { top } = useScreen((screen) => screen.scroll);
  const now = useServiceNow(1000);
  useEffect(() => sortInPauses(deck, tail), [deck, tail]);
  const rows = listedPatterns(deck);
  const keys = rows.map(patternKey);
  const at = cursorIndex(keys, cursor);
  const under = rows[at];
  const { header, facts } = patternPaneRows(height);
  const room = Math.max(1, height - header - facts);
  const first = scrollTo(top, Math.max(0, at), room, rows.length);
  const texts = rows.map(
    ({ template, example }) => `${tail.patternNames.of(template) ?? ''} ${template} ${example}`,
  );
  const { highlight } = useTextSearch(texts, Math.max(0, at), (index) => {
    const key = keys[index];
    if (key === undefined) return;
    deck.screen.view.moveInDetails({ id: key, index }, topWithMatch(index, first, room));
  });
  const columns = patternColumns(width);
  const head = isCompared ? comparedHeader(width) : patternHeader(columns);
  const notice = isCompared ? comparisonNotice(comparison) : 'No line has come yet.';
  const line = (index: number): Line => {
    const pattern = rows[index];
    if (pattern === undefined) return [];
    const name = tail.patternNames.of(pattern.template);
    const row = isCompared
      ? comparedRow(pattern, width, { filters, name })
      : patternRow(pattern, columns, { now, filters, name });
    return [span(index === at && focused ? '>' : ' '), ...highlight(row)];
  };
  return (
    <Box flexDirection="column" width={width} height={height}>
      {header > 0 && <Row line={[span(' '), ...head]} width={width} />}
      {rows.length === 0 ? (
        <Box height={room}>
          <Row line={[span(` ${notice}`, 'quiet')]} width={width} />
        </Box>
      ) : (
        <Document
          count={rows.length}
          line={line}
          cursor={at}
          focused={focused}
          top={first}
          left={0}
          wrap={false}
          width={width}
          height={room}
          targetOf={(index) => {
            const key = keys[index];
            return key === undefined ? undefined : { kind: 'detail', key, index };
          }}
        />
      )}
      {under !== undefined &&
        patternFacts(under, facts, { now, times }).map((fact, row) => (
          // A row is its place in the pane.
          // eslint-disable-next-line react/no-array-index-key
          <Row key={row} line={row === 0 ? fillLine(fact, width, ' ') : fact} width={width} />
        ))}
    </Box>
  );
}

/** Sorts the list whenever it has changed, but only in the pauses between keys. */
function sortInPauses(
  { keyPause }: Pick<Deck, 'keyPause'>,
  { patterns, patternList }: Pick<Tail, 'patterns' | 'patternList'>,
): () => void {
  let cancel = (): void => {};
  const unsubscribe = patterns.state.subscribe(() => {
    cancel();
    cancel = keyPause.whenPaused(() => patternList.sort());
  });
  return () => {
    unsubscribe();
    cancel();
  };
}
