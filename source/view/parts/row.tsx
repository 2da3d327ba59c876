import { Text } from 'ink';
import { memo } from 'react';
import { encodeRow } from '../../terminal/screen/cell-style.ts';
import { useTheme } from './context.ts';
import { areSameSpans, type Line } from '../text/line.ts';
import { type CursorRole, styleLine } from '../text/styled-row.ts';

interface RowProps {
  readonly line: Line;
  readonly width: number;
  readonly cursor?: CursorRole | undefined;
  /** True for a row of old data. */
  readonly quiet?: boolean;
}

/**
 * One row of exactly `width` cells, cut or padded, with sanitised text. `cursor` marks the whole row as
 * the one that keys act on, `cursor-off` as that of a pane without the focus. Panes build the lines of all
 * their rows with each key, so a row whose line says the same is not drawn again.
 */
export const Row = memo(function Row(props: RowProps) {
  const theme = useTheme();
  const { line, width, cursor, quiet: isQuiet = false } = props;
  // One Text node per row, because the cost of Ink's layout and output grows with the nodes.
  const row = styleLine(line, width, theme, cursor ?? (isQuiet ? 'quiet' : undefined));
  return <Text wrap="truncate">{encodeRow(row)}</Text>;
}, isSameRow);

function isSameRow(before: RowProps, now: RowProps): boolean {
  return (
    before.width === now.width &&
    before.cursor === now.cursor &&
    before.quiet === now.quiet &&
    areSameSpans(before.line, now.line)
  );
}

/** Returns the role of a cursor's row in a pane with or without the focus. */
export function cursorRole(isFocused: boolean): CursorRole {
  return isFocused ? 'cursor' : 'cursor-off';
}
