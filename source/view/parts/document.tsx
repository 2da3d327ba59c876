import { Box } from 'ink';
import { headOfLine, sliceLine, wrapLine } from '../fit.ts';
import type { Line } from '../line.ts';
import { Row } from './row.tsx';

/** Lines of text from line `top` on, cut at `left` or wrapped: only what is shown is built. */
export function Document(props: {
  readonly count: number;
  readonly line: (index: number) => Line;
  readonly top: number;
  readonly left: number;
  /** Spans at the start of each line that stay when it is moved sideways. */
  readonly fixed?: number;
  readonly wrap: boolean;
  readonly width: number;
  readonly height: number;
}) {
  return (
    <Box flexDirection="column" width={props.width} height={props.height}>
      {documentRows(props).map((line, row) => (
        // A row is its place on the screen.
        // eslint-disable-next-line react/no-array-index-key
        <Row key={row} line={line} width={props.width} />
      ))}
    </Box>
  );
}

function documentRows(props: Parameters<typeof Document>[0]): readonly Line[] {
  const rows: Line[] = [];
  for (let index = props.top; index < props.count && rows.length < props.height; index += 1) {
    const line = props.line(index);
    if (props.wrap) rows.push(...wrapLine(line, props.width, props.height));
    else rows.push(moved(headOfLine(line, props.left + props.width), props.left, props.fixed));
  }
  return rows.slice(0, props.height);
}

function moved(line: Line, left: number, fixed = 0): Line {
  return left === 0 ? line : [...line.slice(0, fixed), ...sliceLine(line.slice(fixed), left)];
}
