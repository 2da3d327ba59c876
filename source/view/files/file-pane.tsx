import { useStore } from 'zustand';
import { useDeck, useScreen } from '../parts/context.ts';
import { viewedText } from './text.ts';
import { type Line, span } from '../text/line.ts';
import { errorLines, loadingShownAfter, noticeRows } from '../text/notice.ts';
import type { PaneArea } from '../parts/list-pane.tsx';
import { Document } from '../parts/document.tsx';
import { useNow } from '../parts/use-now.ts';

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
  if (opened === undefined) return undefined;
  const head: readonly Line[] = [
    ...(opened.error === undefined
      ? []
      : noticeRows(errorLines(opened.error), area.width, area.height)),
    ...(isLoading && now - (opened.loadingSince ?? now) >= loadingShownAfter
      ? [[span('Loading...', 'quiet')]]
      : []),
    ...(text?.notes ?? []),
  ];
  const lines = text?.lines ?? [];
  const digits = String(lines.length).length;
  return (
    <Document
      count={head.length + lines.length}
      line={(index) => {
        const headLine = head[index];
        if (headLine !== undefined) return headLine;
        const row = index - head.length;
        return [
          span(`${String(row + 1).padStart(digits + 1)} `, 'quiet'),
          { text: lines[row] ?? '' },
        ];
      }}
      top={scroll.top}
      left={scroll.left}
      fixed={1}
      wrap={wrap}
      width={area.width}
      height={area.height}
    />
  );
}
