import { Text } from 'ink';
import { memo } from 'react';
import { fitLine } from '../fit.ts';
import type { Line, Span } from '../line.ts';
import { type Style, styles } from '../theme.ts';

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
  const base: Style = {
    ...(props.cursor === true ? styles.cursor : {}),
    ...(props.dim === true ? styles.quiet : {}),
  };
  return (
    <Text wrap="truncate" {...base}>
      {fitLine(props.line, props.width).map((part, index) => (
        // Spans have no identity of their own: they are a row's text in order.
        // eslint-disable-next-line react/no-array-index-key
        <Text key={index} {...spanStyle(part)}>
          {part.text}
        </Text>
      ))}
    </Text>
  );
});

function spanStyle(part: Span): Style {
  return { ...(part.token === undefined ? {} : styles[part.token]), ...part.style };
}
