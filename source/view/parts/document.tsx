import { Box } from 'ink';
import { headOfLine, scrolledLine, wrapLine } from '../text/fit.ts';
import type { Line } from '../text/line.ts';
import type { CursorRole } from '../text/styled-row.ts';
import { type ClickTarget, useClickArea } from './click-map.ts';
import { cursorRole, Row } from './row.tsx';

/** A text from line `top` on, wrapped or shifted by `left` cells; builds only the visible lines. */
export function Document(props: {
  readonly count: number;
  readonly line: (index: number) => Line;
  readonly top: number;
  readonly left: number;
  /** Leading spans of each line that do not scroll sideways. */
  readonly fixed?: number;
  /** Index of the line that keys act on. */
  readonly cursor?: number | undefined;
  /** False in a pane without the focus, whose cursor is marked by style only. */
  readonly focused?: boolean;
  readonly wrap: boolean;
  readonly width: number;
  readonly height: number;
  /** Returns what a click on a line is on; undefined where lines have no cursor. */
  readonly targetOf?: (index: number) => ClickTarget | undefined;
}) {
  const rows = documentRows(props);
  const { targetOf } = props;
  const ref = useClickArea((_, y) => {
    const index = rows[y]?.index;
    return index === undefined ? undefined : targetOf?.(index);
  });
  return (
    <Box ref={ref} flexDirection="column" width={props.width} height={props.height}>
      {rows.map(({ line, cursor }, row) => (
        // A row is its place on the screen.
        // eslint-disable-next-line react/no-array-index-key
        <Row key={row} line={line} width={props.width} cursor={cursor} />
      ))}
    </Box>
  );
}

interface DocumentRow {
  readonly index: number;
  readonly line: Line;
  readonly cursor: CursorRole | undefined;
}

function documentRows(props: Parameters<typeof Document>[0]): readonly DocumentRow[] {
  const rows: DocumentRow[] = [];
  for (let index = props.top; index < props.count && rows.length < props.height; index += 1) {
    const line = props.line(index);
    const parts = props.wrap
      ? wrapLine(line, props.width, props.height)
      : [shifted(headOfLine(line, props.left + props.width), props.left, props.fixed)];
    const cursor = index === props.cursor ? cursorRole(props.focused !== false) : undefined;
    rows.push(...parts.map((part) => ({ index, line: part, cursor })));
  }
  return rows.slice(0, props.height);
}

function shifted(line: Line, left: number, fixed = 0): Line {
  return left === 0 ? line : [...line.slice(0, fixed), ...scrolledLine(line.slice(fixed), left)];
}
