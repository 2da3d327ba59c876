import { Box } from 'ink';
import { fillLine } from '../text/fit.ts';
import { useGlyphs } from './context.ts';
import type { Line } from '../text/line.ts';
import { Row } from './row.tsx';

/** Title of a pane in a rule: `[4 Logs shop] ────` with the focus, `─ 2 Files ────` without. */
export function Title(props: {
  readonly text: string;
  readonly focused: boolean;
  readonly width: number;
  /** True when the title starts with the rule, as in a pane below another. */
  readonly ruled: boolean;
}) {
  const { horizontal } = useGlyphs();
  const start = props.ruled ? horizontal : '';
  const label: Line = props.focused
    ? [{ text: `[${props.text}]`, token: 'focus' }, { text: ' ' }]
    : [{ text: `${start} ${props.text} ` }];
  return (
    <Box height={1} width={props.width}>
      <Row line={fillLine(label, props.width, horizontal)} width={props.width} />
    </Box>
  );
}
