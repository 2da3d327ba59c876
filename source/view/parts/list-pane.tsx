import { Box } from 'ink';
import { useState } from 'react';
import { useStore } from 'zustand';
import { cursorIndex, scrollTo } from '../../store/lists/cursor.ts';
import type { Listing } from '../../store/lists/listing.ts';
import type { ListPane as ListPaneName } from '../../store/lists/list-panes.ts';
import { useDeck, useScreen } from './context.ts';
import type { Line } from '../text/line.ts';
import { listNotice, loadingShownAfter, noticeRows, type NoticeSentences } from '../text/notice.ts';
import { useNow } from './use-now.ts';
import { useWindowSize } from './use-window-size.ts';
import { cursorRole, Row } from './row.tsx';

export interface PaneArea {
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
}

/** Frame of the three list panes: header, rows with a cursor, and a notice when there are none. */
export function ListPaneBox<T, R>(props: {
  readonly area: PaneArea;
  readonly pane: ListPaneName;
  readonly listing: Listing<T>;
  readonly rows: readonly R[];
  /** Ids of the rows, in the same order. */
  readonly ids: readonly string[];
  /** Returns a row; `cursor` is true for the row that keys act on, in the focused pane only. */
  readonly line: (row: R, cursor: boolean, now: number) => Line;
  /** Names of the columns, shown where there is room. */
  readonly header?: Line;
  readonly sentences: NoticeSentences;
}) {
  const { area, rows, ids } = props;
  const { width } = area;
  const deck = useDeck();
  const away = useStore(deck.refresh.reach, (reach) => reach.kind === 'away');
  const cursor = useScreen((screen) => screen.cursors[props.pane]);
  const { loadedAt } = props.listing;
  const now = useNow(loadedAt === undefined ? loadingShownAfter : 1000);
  const [since] = useState(now);
  const index = cursorIndex(ids, cursor);
  const waiting = now - (props.listing.loadingSince ?? since);
  const { header = [] } = props;
  const terminal = useWindowSize();
  const hasHeader = header.length > 0 && hasHeaderRow(terminal.rows, area.height, rows.length);
  const headerRows = hasHeader ? 1 : 0;
  // Rows remain after a failed request, so the notice leaves room for at least one.
  const room = area.height - headerRows - (rows.length > 0 ? 1 : 0);
  const notice = noticeRows(
    listNotice(props.listing, rows.length, props.sentences, waiting),
    width,
    room,
  );
  return (
    <Box flexDirection="column" width={width} height={area.height}>
      {hasHeader && <Row line={header} width={width} />}
      <List
        count={rows.length}
        cursor={index}
        focused={area.focused}
        quiet={away}
        width={width}
        height={Math.min(rows.length, Math.max(0, area.height - headerRows - notice.length))}
        line={(at) => {
          const row = rows[at];
          return row === undefined ? [] : props.line(row, area.focused && at === index, now);
        }}
      />
      {notice.map((line, row) => (
        // A row is its place in the pane.
        // eslint-disable-next-line react/no-array-index-key
        <Row key={row} line={line} width={width} />
      ))}
    </Box>
  );
}

/** Rows of the terminal, and of the pane, from which one of them names the columns. */
const headerFrom = { terminal: 16, pane: 4 };

/** Returns whether a list of `count` rows names its columns: also where it has room for all rows. */
export function hasHeaderRow(terminalRows: number, paneRows: number, count: number): boolean {
  if (count === 0) return false;
  if (paneRows > count) return true;
  return terminalRows >= headerFrom.terminal && paneRows >= headerFrom.pane;
}

/**
 * A list that scrolls to keep the cursor visible and builds only the visible rows. `cursor` is -1
 * when there is none.
 */
function List(props: {
  readonly count: number;
  readonly cursor: number;
  readonly focused: boolean;
  readonly quiet?: boolean;
  readonly width: number;
  readonly height: number;
  readonly line: (index: number) => Line;
}) {
  const [before, setBefore] = useState(0);
  const top = scrollTo(before, Math.max(0, props.cursor), props.height, props.count);
  if (top !== before) setBefore(top);
  const shown = Math.min(props.height, props.count - top);
  return (
    <Box flexDirection="column" width={props.width} height={props.height}>
      {Array.from({ length: Math.max(0, shown) }, (_, row) => {
        const index = top + row;
        return (
          <Row
            key={row}
            line={props.line(index)}
            width={props.width}
            cursor={index === props.cursor ? cursorRole(props.focused) : undefined}
            quiet={props.quiet ?? false}
          />
        );
      })}
    </Box>
  );
}
