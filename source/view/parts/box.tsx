import { Box as InkBox, Text } from 'ink';
import type { ReactNode } from 'react';
import { useGlyphs } from './context.ts';
import { fillLine, fitLine, lineWidth } from '../text/fit.ts';
import { type Hint, hintLine } from '../text/hints.ts';
import { type Line, type Span, span } from '../text/line.ts';
import type { EditedLine } from '../text/line-editor.ts';
import { Field } from './field.tsx';
import { Row } from './row.tsx';

const widest = 64;

/** Column of the note beside an empty field. */
const noteColumn = 20;

/** Returns the width of a box in a terminal of `columns` columns. */
export function boxWidth(columns: number): number {
  return Math.min(widest, columns - 2);
}

/** Returns the maximum rows inside a box in a terminal of `rows` rows. */
export function boxRoom(rows: number): number {
  return rows - 4;
}

/** Returns the position and height of a box with `inside` rows between its edges. */
export function boxPlace(columns: number, rows: number, inside: number) {
  const height = Math.min(inside, boxRoom(rows)) + 2;
  const left = Math.floor((columns - boxWidth(columns)) / 2);
  return { left, top: Math.max(1, Math.floor((rows - height) / 2)), height };
}

/** A row inside a box, with its left and right edge. */
export function BoxRow(props: {
  readonly line: Line;
  readonly width: number;
  readonly cursor?: boolean;
}) {
  const { vertical } = useGlyphs();
  const inner = fitLine(props.line, props.width - 4);
  return <Row line={[span(`${vertical} `), ...inner, span(` ${vertical}`)]} width={props.width} />;
}

/** A box over the middle of the screen, with the title in its upper edge and hints in its lower. */
export function FramedBox(props: {
  readonly title: readonly Span[];
  /** Text at the right of the title. */
  readonly range?: string;
  /** Keys in the lower edge. */
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
  /** Lines above the field. */
  readonly above?: readonly Line[];
  /** Text field above the lines. */
  readonly field?: {
    readonly prompt: string;
    readonly line: EditedLine;
    readonly onEdit?: (line: EditedLine) => void;
    /** Text beside the field while it is empty. */
    readonly note?: string;
  };
  readonly lines: readonly Line[];
  /** Number of rows below the lines, and the {@link BoxRow}s that draw them. */
  readonly below?: { readonly rows: number; readonly content: ReactNode };
  /** Maximum rows inside; the top edge is placed for this height and does not move. */
  readonly tallest?: number;
}) {
  const glyphs = useGlyphs();
  const width = boxWidth(props.columns);
  const above = props.above ?? [];
  const fieldRows = above.length + (props.field === undefined ? 0 : 1);
  const inside = fieldRows + props.lines.length + (props.below?.rows ?? 0);
  const { left, height } = boxPlace(props.columns, props.rows, inside);
  const { top } = boxPlace(props.columns, props.rows, props.tallest ?? inside);
  const edge = (start: string, label: Line, end: string, right: Line = []): Line => {
    const filled = width - 1 - lineWidth(right);
    const room = filled - 3;
    const fitted = lineWidth(label) > room ? fitLine(label, room) : label;
    return [
      ...fillLine([span(`${start} `), ...fitted, span(' ')], filled, glyphs.horizontal),
      ...right,
      span(end),
    ];
  };
  const range = props.range === undefined ? [] : [span(` ${props.range} `)];
  const note = props.field?.line.text === '' ? (props.field.note ?? '') : '';
  const noted = note === '' ? 0 : Math.max(0, width - 4 - noteColumn);
  return (
    <InkBox position="absolute" flexDirection="column" left={left} top={top} width={width}>
      <Row line={edge(glyphs.topLeft, props.title, glyphs.topRight, range)} width={width} />
      {above.map((line, index) => (
        // A row is its place in the box.
        // eslint-disable-next-line react/no-array-index-key
        <BoxRow key={`above ${index}`} line={line} width={width} />
      ))}
      {props.field && (
        <InkBox width={width}>
          <Text>{`${glyphs.vertical} `}</Text>
          <Field
            {...props.field}
            at={{ x: left + 2, y: top + 1 + above.length, width: width - 4 - noted }}
          />
          {noted > 0 && <Row line={[span(note, 'quiet')]} width={noted} />}
          <Text>{` ${glyphs.vertical}`}</Text>
        </InkBox>
      )}
      {props.lines.slice(0, height - 2 - fieldRows).map((line, index) => (
        // A row is its place in the box.
        // eslint-disable-next-line react/no-array-index-key
        <BoxRow key={index} line={line} width={width} />
      ))}
      {props.below?.content}
      <Row
        line={edge(glyphs.bottomLeft, hintLine(props.hints, width - 4), glyphs.bottomRight)}
        width={width}
      />
    </InkBox>
  );
}
