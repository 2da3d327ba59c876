import { Box } from 'ink';
import { useState } from 'react';
import { scrollTo } from '../../store/lists/cursor.ts';
import type { Line } from '../text/line.ts';
import { Row } from './row.tsx';

/**
 * A list that scrolls to keep the cursor visible and builds only the visible rows. `cursor` is -1
 * when there is none.
 */
export function List(props: {
  readonly count: number;
  readonly cursor: number;
  readonly focused: boolean;
  readonly dim?: boolean;
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
            cursor={props.focused && index === props.cursor}
            dim={props.dim ?? false}
          />
        );
      })}
    </Box>
  );
}
