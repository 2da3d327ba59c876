import { Text } from 'ink';
import { memo } from 'react';
import { encodeRow } from '../../terminal/screen/cell-style.ts';
import { useColours } from './context.ts';
import { fitLine } from '../text/fit.ts';
import type { Line } from '../text/line.ts';
import { cursorLine, styleRow } from '../text/styled-row.ts';
import { type Style, styles } from '../text/theme.ts';

/**
 * One row of exactly `width` cells, cut or padded, with sanitised text. `cursor` marks the whole row as
 * the one that keys act on, `cursor-off` as that of a pane without the focus.
 */
export const Row = memo(function Row(props: {
  readonly line: Line;
  readonly width: number;
  readonly cursor?: 'cursor' | 'cursor-off' | undefined;
  readonly dim?: boolean;
}) {
  const depth = useColours();
  const base: Style = {
    ...(props.cursor === undefined ? {} : styles[props.cursor]),
    ...(props.dim === true ? styles.quiet : {}),
  };
  // One Text node per row, because the cost of Ink's layout and output grows with the nodes.
  const line = props.cursor === 'cursor' ? cursorLine(props.line) : props.line;
  const row = styleRow(fitLine(line, props.width), depth, base);
  return <Text wrap="truncate">{encodeRow(row)}</Text>;
});

/** Returns the role of a cursor's row in a pane with or without the focus. */
export function cursorRole(isFocused: boolean): 'cursor' | 'cursor-off' {
  return isFocused ? 'cursor' : 'cursor-off';
}
