import { Box } from 'ink';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { cursorIndex, scrollTo } from '../../store/lists/cursor.ts';
import type { Listing } from '../../store/lists/listing.ts';
import type { ListPane as ListPaneName } from '../../store/lists/list-panes.ts';
import type { OrderName } from '../../store/lists/order.ts';
import { type TargetAt, useClickArea } from './click-map.ts';
import { useDeck, useGlyphs, useScreen } from './context.ts';
import { formatCount } from '../text/amount.ts';
import type { Line } from '../text/line.ts';
import { listNotice, loadingShownAfter, noticeRows, type NoticeSentences } from '../text/notice.ts';
import { useNow } from './use-now.ts';
import { useWindowSize } from './use-window-size.ts';
import { cursorRole, Row } from './row.tsx';

export interface PaneArea {
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** Returns the title above a list, which `height` leaves out, with the range of its visible rows. */
  readonly title?: (range: string) => ReactNode;
}

/** Frame of the three list panes: header, rows with a cursor, and a notice when there are none. */
export function ListPaneBox<T, R>(props: {
  readonly area: PaneArea;
  readonly pane: ListPaneName;
  readonly listing: Listing<T>;
  readonly rows: readonly R[];
  /** Ids of the rows, in the same order. */
  readonly ids: readonly string[];
  /**
   * Returns a row; `cursor` is true for the row that keys act on, in the focused pane only.
   * `serviceNow` is the time in ms by the clock of the service.
   */
  readonly line: (row: R, cursor: boolean, serviceNow: number) => Line;
  /** Names of the columns, shown where there is room. */
  readonly header?: Line;
  /** Returns the order that a click on a cell of the header chooses. */
  readonly orderAt?: (x: number) => OrderName | undefined;
  readonly sentences: NoticeSentences;
}) {
  const { area, rows, ids } = props;
  const { width } = area;
  const deck = useDeck();
  const away = useStore(deck.refresh.reach, (reach) => reach.kind === 'away');
  const cursor = useScreen((screen) => screen.cursors[props.pane]);
  const { loadedAt } = props.listing;
  const now = useNow(loadedAt === undefined ? loadingShownAfter : 1000);
  const serviceNow = deck.clock.serviceNow(now);
  const [since] = useState(now);
  const index = cursorIndex(ids, cursor);
  const waiting = now - (props.listing.loadingSince ?? since);
  const { ellipsis } = useGlyphs();
  const { header = [] } = props;
  const terminal = useWindowSize();
  const hasHeader = header.length > 0 && hasHeaderRow(terminal.rows, area.height, rows.length);
  const headerRows = hasHeader ? 1 : 0;
  // Rows remain after a failed request, so the notice leaves room for at least one.
  const room = area.height - headerRows - (rows.length > 0 ? 1 : 0);
  const notice = noticeRows(
    listNotice(props.listing, rows.length, props.sentences, {
      waiting,
      service: deck.profile,
      isFocused: area.focused,
      pane: props.pane,
      ellipsis,
    }),
    width,
    room,
  );
  const height = Math.min(rows.length, Math.max(0, area.height - headerRows - notice.length));
  const top = useTop(index, height, rows.length);
  const targetAt: TargetAt = (x, y) => {
    const { pane, orderAt } = props;
    const row = y - headerRows;
    const order = row < 0 ? orderAt?.(x) : undefined;
    if (order !== undefined) return { kind: 'column', pane, order };
    const id = row >= 0 && row < height ? ids[top + row] : undefined;
    return id === undefined ? { kind: 'pane', pane } : { kind: 'row', pane, id };
  };
  const ref = useClickArea(targetAt);
  return (
    <>
      {area.title?.(visibleRange(top, height, rows.length))}
      <Box ref={ref} flexDirection="column" width={width} height={area.height}>
        {hasHeader && <Row line={header} width={width} />}
        <List
          top={top}
          cursor={index}
          focused={area.focused}
          quiet={away}
          width={width}
          height={height}
          line={(at) => {
            const row = rows[at];
            return row === undefined
              ? []
              : props.line(row, area.focused && at === index, serviceNow);
          }}
        />
        {notice.map((line, row) => (
          // A row is its place in the pane.
          // eslint-disable-next-line react/no-array-index-key
          <Row key={row} line={line} width={width} />
        ))}
      </Box>
    </>
  );
}

/** Returns the first visible row: the list scrolls as little as the cursor requires. */
function useTop(cursor: number, height: number, count: number): number {
  const [before, setBefore] = useState(0);
  const top = scrollTo(before, Math.max(0, cursor), height, count);
  if (top !== before) setBefore(top);
  return top;
}

/** Returns the numbers of the visible rows, `24-46`; empty when all rows are visible. */
export function visibleRange(top: number, height: number, count: number): string {
  if (height < 1 || height >= count) return '';
  const [first, last] = [top + 1, Math.min(count, top + height)].map(formatCount);
  return first === last ? `${first}` : `${first}-${last}`;
}

/** Rows of the terminal, and of the pane, from which one of them names the columns. */
const headerFrom = { terminal: 16, pane: 4 };

/** Returns whether a list of `count` rows names its columns: also where it has room for all rows. */
export function hasHeaderRow(terminalRows: number, paneRows: number, count: number): boolean {
  if (count === 0) return false;
  if (paneRows > count) return true;
  return terminalRows >= headerFrom.terminal && paneRows >= headerFrom.pane;
}

/** The visible rows of a list; only these are built. `cursor` is -1 when there is none. */
function List(props: {
  readonly top: number;
  readonly cursor: number;
  readonly focused: boolean;
  readonly quiet?: boolean;
  readonly width: number;
  readonly height: number;
  readonly line: (index: number) => Line;
}) {
  return (
    <Box flexDirection="column" width={props.width} height={props.height}>
      {Array.from({ length: props.height }, (_, row) => {
        const index = props.top + row;
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
