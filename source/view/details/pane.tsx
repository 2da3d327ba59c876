import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { cursorIndex } from '../../store/lists/cursor.ts';
import { useDeck, useScreen } from '../parts/context.ts';
import { topWithCursor } from './cursor.ts';
import { type DetailsSubject, detailRows, textToHighlight } from './details.ts';
import { spansText, wrapLine } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';
import { serviceOf } from '../log/details.ts';
import { Document } from '../parts/document.tsx';
import type { PaneArea } from '../parts/list-pane.tsx';
import { useServiceNow } from '../parts/use-now.ts';
import { useTextSearch } from '../parts/use-text-search.ts';
import { lineWithin } from '../text/detail-rows.ts';
import { topWithMatch } from '../text/reveal-match.ts';

/** Pane 4 as Details: rows with a cursor, whose value the copy keys copy. */
export function DetailsPane(props: { readonly subject: DetailsSubject; readonly area: PaneArea }) {
  const { subject, area } = props;
  const deck = useDeck();
  useStore(deck.deployments.list.state);
  useStore(deck.deployments.details);
  useStore(deck.grants.list.state);
  useStore(deck.grants.addressBook);
  useStore(deck.files.list.state);
  useStore(deck.files.ofServices.state);
  useStore(deck.colours.state);
  const cursor = useScreen((screen) => screen.detailCursor);
  const { top, left } = useScreen((screen) => screen.scroll);
  // A log line is always wrapped, so that all of it is visible.
  const wrap = useScreen((screen) => screen.wrap) || subject.kind === 'line';
  const now = useServiceNow(1000);
  const { text, language } = textToHighlight(deck, subject) ?? {};
  useEffect(() => {
    if (text !== undefined && language !== undefined) deck.colours.want(text, language);
  }, [deck, text, language]);
  useEffect(() => {
    const service = subject.kind === 'line' ? serviceOf(subject) : undefined;
    if (service !== undefined) deck.files.ofServices.want(service);
  }, [deck, subject]);
  const rows = detailRows(deck, subject, now);
  const at = cursorIndex(
    rows.map(({ key }) => key),
    cursor,
  );
  const texts = useMemo(() => rows.map((row) => spansText(row.line)), [rows]);
  const { highlight } = useTextSearch(texts, Math.max(0, at), (index) => {
    const row = rows[index];
    if (row === undefined) return;
    deck.screen.view.moveInDetails({ id: row.key, index }, topWithMatch(index, top, area.height));
  });
  // Wrapped or scrolled sideways, all of a row can be read.
  const cells = wrap || left > 0 ? Number.POSITIVE_INFINITY : area.width - 1;
  const line = (index: number): Line => {
    const row = rows[index];
    return [
      span(index === at && area.focused ? '>' : ' '),
      ...highlight(row === undefined ? [] : lineWithin(row, cells)),
    ];
  };
  const heightOf = (index: number) =>
    wrap ? wrapLine(line(index), area.width, area.height).length : 1;
  return (
    <Document
      count={rows.length}
      line={line}
      cursor={at}
      focused={area.focused}
      top={topWithCursor(top, Math.max(0, at), area.height, heightOf)}
      left={left}
      fixed={1}
      wrap={wrap}
      width={area.width}
      height={area.height}
      targetOf={(index) => {
        const key = rows[index]?.key;
        return key === undefined ? undefined : { kind: 'detail', key, index };
      }}
    />
  );
}
