import { Text } from 'ink';
import { memo } from 'react';
import { ansiText } from '../text/ansi.ts';
import { useColours } from './context.ts';
import { fitLine } from '../text/fit.ts';
import type { Line } from '../text/line.ts';
import { type Style, styles } from '../text/theme.ts';

/**
 * One row of exactly `width` cells: cut or padded, and safe whatever its text holds. `cursor`
 * draws the whole row as the one that keys act on.
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
  // One text a row: Ink's layout and output cost by the node.
  return <Text wrap="truncate">{ansiText(fitLine(props.line, props.width), depth, base)}</Text>;
});
