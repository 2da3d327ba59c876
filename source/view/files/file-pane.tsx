import { useStore } from 'zustand';
import { useDeck, useScreen } from '../parts/context.ts';
import { lineNumber, lineNumberCells, viewedText } from './text.ts';
import { type Line, span } from '../text/line.ts';
import { errorLines, loadingShownAfter, noticeRows } from '../text/notice.ts';
import type { PaneArea } from '../parts/list-pane.tsx';
import { Document } from '../parts/document.tsx';
import { useNow } from '../parts/use-now.ts';
import { useTextSearch } from '../parts/use-text-search.ts';
import { leftWithMatch, topWithMatch } from '../text/reveal-match.ts';

const noLines: readonly string[] = [];
const noMatch = [0, 0] as const;

/** Pane 4: the read-only viewer of a file. */
export function FilePane(area: PaneArea) {
  const deck = useDeck();
  const opened = useStore(deck.files.state, (state) => state.opened);
  const scroll = useScreen((screen) => screen.scroll);
  const wrap = useScreen((screen) => screen.wrap);
  const isLoading = opened?.loadingSince !== undefined && opened.body === undefined;
  const now = useNow(isLoading ? loadingShownAfter : undefined);
  const body = opened?.body;
  const text = body === undefined ? undefined : viewedText(body);
  const isSlow = isLoading && now - (opened.loadingSince ?? now) >= loadingShownAfter;
  const head: readonly Line[] = [
    ...(opened?.error === undefined
      ? []
      : noticeRows(errorLines(opened.error), area.width, area.height)),
    ...(isSlow ? [[span('Loading...', 'quiet')]] : []),
    ...(text?.notes ?? []),
  ];
  const lines = text?.lines ?? noLines;
  const found = useTextSearch(lines, Math.max(0, scroll.top - head.length), (line) => {
    const top = topWithMatch(line + head.length, scroll.top, area.height);
    const [match = noMatch] = deck.textSearch.spans(lines[line] ?? '');
    const numbers = lineNumberCells(lines.length);
    const left = wrap ? 0 : leftWithMatch(match, scroll.left, area.width - numbers);
    deck.screen.view.scrollTo({ top, left });
  });
  if (opened === undefined) return undefined;
  return (
    <Document
      count={head.length + lines.length}
      line={(index) => {
        const headLine = head[index];
        if (headLine !== undefined) return headLine;
        const row = index - head.length;
        return [
          ...lineNumber(row, lines.length, row === found.at),
          ...found.highlight([{ text: lines[row] ?? '' }]),
        ];
      }}
      top={scroll.top}
      left={scroll.left}
      fixed={2}
      wrap={wrap}
      width={area.width}
      height={area.height}
      targetOf={(index) => {
        const line = index - head.length;
        return line < 0 ? undefined : { kind: 'text-line', path: opened.path, index: line };
      }}
    />
  );
}
