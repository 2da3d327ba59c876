import { Box } from 'ink';
import { fillLine, lineWidth } from '../text/fit.ts';
import type { Pane } from '../../store/deck/screen/focus.ts';
import { useClickArea } from './click-map.ts';
import { useGlyphs } from './context.ts';
import type { Line } from '../text/line.ts';
import { Row } from './row.tsx';

/** Returns a list's range and its state; the state alone where `room` cells are too few for both. */
export function titleEnd(range: string, state: Line, room: number): Line {
  if (range === '') return state;
  if (state.length === 0) return [{ text: range }];
  const both = [{ text: `${range} | ` }, ...state];
  return lineWidth(both) <= room ? both : state;
}

/**
 * Title of a pane in a rule: `[4 Logs shop] ━━━━━━ live 4/s ━` with the focus, ` 2 Files ─────`
 * without.
 */
export function Title(props: {
  readonly text: string;
  readonly focused: boolean;
  readonly width: number;
  /** State of the pane at the right, shown where it fits. */
  readonly right?: Line;
  /** The pane that a click focuses. */
  readonly pane?: Pane;
}) {
  const { pane } = props;
  const ref = useClickArea(() => (pane === undefined ? undefined : { kind: 'pane', pane }));
  const glyphs = useGlyphs();
  const rule = props.focused ? glyphs.heavy : glyphs.horizontal;
  const label: Line = props.focused
    ? [{ text: `[${props.text}]`, token: 'focus' }, { text: ' ' }]
    : [{ text: ` ${props.text} ` }];
  const { right = [], width } = props;
  const end: Line = right.length === 0 ? [] : [{ text: ' ' }, ...right, { text: ` ${rule}` }];
  const room = width - lineWidth(end);
  const line = lineWidth(label) <= room ? [...fillLine(label, room, rule), ...end] : label;
  return (
    <Box ref={ref} height={1} width={width}>
      <Row line={fillLine(line, width, rule)} width={width} />
    </Box>
  );
}
