import { Box, type DOMElement, Text } from 'ink';
import { useContext, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import type { PaintedRegion, Painter } from '../../terminal/screen/painter.ts';
import type { StyledRow } from '../../terminal/screen/cell-style.ts';
import { ClickMapContext, type ClickTarget } from './click-map.ts';
import { usePainter, useTheme } from './context.ts';
import type { Line } from '../text/line.ts';
import { type CursorRole, styleLine } from '../text/styled-row.ts';
import { Row } from './row.tsx';
import type { Area } from '../../terminal/screen/screen-rows.ts';
import { hole } from '../../terminal/screen/cell-parser.ts';

/** Source of rows that change too often for React. */
export interface PaintSource {
  /**
   * Calls `changed` when rows may have changed, at most once a frame. An `urgent` change answers a
   * key and is drawn without waiting for a slow link.
   */
  subscribe(changed: (urgent?: boolean) => void): () => void;
  /** Returns the current rows from the top. An unchanged row is the same object. */
  rows(): readonly Line[];
  /** Returns the role of one of these rows; the same for every call. */
  role?(row: Line): CursorRole | undefined;
  /** Returns what a click on one of these rows is on; the same for every call. */
  targetOf?(row: Line): ClickTarget | undefined;
  /** Called after the rows are drawn; a source may change its state only here. */
  drawn?(): void;
}

/**
 * A rectangle whose rows bypass React, layout and Ink's output. A new `source` is painted with the
 * next frame, its later changes when the link has capacity. Without a painter, the rows are drawn as
 * text.
 */
export function Painted(props: { readonly area: Area; readonly source: PaintSource }) {
  const painter = usePainter();
  return painter === undefined ? (
    <PlainRows {...props} />
  ) : (
    <PaintedRows {...props} painter={painter} />
  );
}

function PaintedRows(props: {
  readonly area: Area;
  readonly source: PaintSource;
  readonly painter: Painter;
}) {
  const { painter, source } = props;
  const { left, top, width, height } = props.area;
  const theme = useTheme();
  const shownTheme = useRef(theme);
  const shownRegion = useRef<PaintedRegion>(undefined);
  const clicks = useContext(ClickMapContext);
  const ref = useRef<DOMElement>(null);
  useLayoutEffect(() => {
    /** Rows of the last drawing: a fast log would fill a larger cache with garbage. */
    let styled: ReadonlyMap<Line, StyledRow> = new Map();
    let styledIn = shownTheme.current;
    const blank: Line = [];
    const region = painter.paint({ left, top, width, height }, () => {
      const lines = source.rows();
      source.drawn?.();
      if (source.targetOf !== undefined && ref.current !== null) {
        const targets = lines.map((line) => source.targetOf?.(line));
        clicks.set(ref, {
          node: ref.current,
          targetAt: (_, y) => targets[y],
          isWritten: () => region.isWritten(),
        });
      }
      const { current } = shownTheme;
      if (styledIn !== current) styled = new Map();
      styledIn = current;
      const next = new Map<Line, StyledRow>();
      const rows = Array.from({ length: height }, (_, index) => {
        const line = lines[index] ?? blank;
        const row =
          next.get(line) ??
          styled.get(line) ??
          styleLine(line, width, current, source.role?.(line));
        next.set(line, row);
        return row;
      });
      styled = next;
      return rows;
    });
    shownRegion.current = region;
    const end = source.subscribe((urgent) => region.reportChange(urgent));
    return () => {
      end();
      region.remove();
      clicks.delete(ref);
    };
  }, [painter, source, clicks, left, top, width, height]);
  // Other colours may wait for a slow link, so they do not make a new region.
  useLayoutEffect(() => {
    if (shownTheme.current === theme) return;
    shownTheme.current = theme;
    shownRegion.current?.reportChange();
  }, [theme]);
  return (
    <Box ref={ref} width={width} height={height}>
      <Text wrap="truncate">{Array<string>(height).fill(hole.repeat(width)).join('\n')}</Text>
    </Box>
  );
}

function PlainRows(props: { readonly area: Area; readonly source: PaintSource }) {
  const { source } = props;
  const { width, height } = props.area;
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  useEffect(() => source.subscribe(() => rerender()), [source]);
  useLayoutEffect(() => source.drawn?.());
  return (
    <Box flexDirection="column" width={width} height={height}>
      {source.rows().map((line, row) => (
        // A row is its place on the screen.
        // eslint-disable-next-line react/no-array-index-key
        <Row key={row} line={line} width={width} cursor={source.role?.(line)} />
      ))}
    </Box>
  );
}
