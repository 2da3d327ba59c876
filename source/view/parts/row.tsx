import { Text } from 'ink';
import { memo } from 'react';
import { encodeRow } from '../../terminal/screen/cell-style.ts';
import { useColours } from './context.ts';
import { fitLine } from '../text/fit.ts';
import type { Line } from '../text/line.ts';
import { styleRow } from '../text/styled-row.ts';
import { type Style, styles } from '../text/theme.ts';

/**
 * One row of exactly `width` cells, cut or padded, with sanitised text. `cursor` highlights the whole
 * row as the one that keys act on.
 */
export const Row = memo(function Row(props: {
  readonly line: Line;
  readonly width: number;
  readonly cursor?: boolean;
  readonly dim?: boolean;
}) {
  const depth = useColours();
  const base: Style = {
    ...(props.cursor === true ? styles.cursor : {}),
    ...(props.dim === true ? styles.quiet : {}),
  };
  // One Text node per row, because the cost of Ink's layout and output grows with the nodes.
  const row = styleRow(fitLine(props.line, props.width), depth, base);
  return <Text wrap="truncate">{encodeRow(row)}</Text>;
});
