import { Box as InkBox, Text } from 'ink';
import { type ReactNode, useContext } from 'react';
import { ClickBoxContext, useClickArea } from './click-map.ts';
import { useGlyphs } from './context.ts';
import { type BoxShape, boxPlace, boxShape } from '../text/box-shape.ts';
import { fillLine, fitLine, lineWidth, spansText, stopAt } from '../text/fit.ts';
import { type Hint, hintLine } from '../text/hints.ts';
import { type Line, type Span, span } from '../text/line.ts';
import type { EditedLine } from '../text/line-editor.ts';
import type { Glyphs } from '../text/glyphs.ts';
import { Field } from './field.tsx';
import { Row } from './row.tsx';

/** Column of the note beside an empty field. */
const noteColumn = 20;

/** A row inside a box; a frame has an edge on each side. */
export function BoxRow({ line, shape }: { readonly line: Line; readonly shape: BoxShape }) {
  const { vertical } = useGlyphs();
  const { isSheet, width, inner } = shape;
  if (isSheet) return <ClickRow line={line} width={width} />;
  const framed = [span(`${vertical} `), ...fitLine(line, inner), span(` ${vertical}`)];
  return <ClickRow line={framed} width={width} />;
}

/** A row on whose stops clicks act, as those of the box around it. */
function ClickRow({ line, width }: { readonly line: Line; readonly width: number }) {
  return line.some(({ stop }) => stop !== undefined) ? (
    <StopsRow line={line} width={width} />
  ) : (
    <Row line={line} width={width} />
  );
}

function StopsRow({ line, width }: { readonly line: Line; readonly width: number }) {
  const box = useContext(ClickBoxContext) ?? '';
  const ref = useClickArea((x) => {
    const stop = stopAt(line, x);
    return stop && { kind: 'box', box, stop };
  });
  return (
    <InkBox ref={ref} width={width}>
      <Row line={line} width={width} />
    </InkBox>
  );
}

/** A text field of a box above its list or its buttons. */
export interface BoxField {
  readonly prompt: string;
  readonly line: EditedLine;
  readonly onEdit?: (line: EditedLine) => void;
  /** Text beside the field of a frame while it is empty. */
  readonly note?: string;
}

/**
 * A box with its title in the first of its rows and hints in the last: a frame over the middle of the
 * screen, or on a small terminal a sheet in all rows but the first.
 */
export function FramedBox(props: {
  readonly title: readonly Span[];
  /** Text at the right of the title. */
  readonly range?: string | undefined;
  /** Keys in the last row. */
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
  /** Lines above the field. */
  readonly above?: readonly Line[];
  /** Text field above the lines. */
  readonly field?: BoxField | undefined;
  readonly lines: readonly Line[];
  /** Number of rows below the lines, and the {@link BoxRow}s that draw them. */
  readonly below?: { readonly rows: number; readonly content: ReactNode };
  /** Maximum rows inside; the top edge is placed for this height and does not move. */
  readonly tallest?: number;
}) {
  const { columns, rows, title, range, hints, above = [], field } = props;
  const glyphs = useGlyphs();
  const shape = boxShape(columns, rows);
  const { isSheet, width } = shape;
  const fieldRows = above.length + (field === undefined ? 0 : 1);
  const belowRows = props.below?.rows ?? 0;
  const inside = fieldRows + props.lines.length + belowRows;
  const { left, height, textLeft } = boxPlace(columns, rows, inside);
  const { top } = boxPlace(columns, rows, props.tallest ?? inside);
  const lines = props.lines.slice(0, height - 2 - fieldRows);
  const blank = height - 2 - fieldRows - lines.length - belowRows;
  const filler = Array.from({ length: isSheet ? Math.max(0, blank) : 0 }, () => []);
  const head = isSheet
    ? sheetTitle(title, range, width, glyphs)
    : frameTitle(title, range, width, glyphs);
  const keys = isSheet ? hintLine(hints, width) : frameKeys(hints, width, glyphs);
  return (
    <ClickBoxContext value={spansText(title)}>
      <InkBox position="absolute" flexDirection="column" left={left} top={top} width={width}>
        <Row line={head} width={width} />
        <BoxRows lines={above} shape={shape} />
        {field && <FieldRow field={field} shape={shape} x={textLeft} y={top + 1 + above.length} />}
        <BoxRows lines={lines} shape={shape} />
        {props.below?.content}
        <BoxRows lines={filler} shape={shape} />
        <Row line={keys} width={width} />
      </InkBox>
    </ClickBoxContext>
  );
}

function BoxRows(props: { readonly lines: readonly Line[]; readonly shape: BoxShape }) {
  return props.lines.map((line, index) => (
    // A row is its place in the box.
    // eslint-disable-next-line react/no-array-index-key
    <BoxRow key={index} line={line} shape={props.shape} />
  ));
}

function FieldRow(props: {
  readonly field: BoxField;
  readonly shape: BoxShape;
  readonly x: number;
  readonly y: number;
}) {
  const { field, shape, x, y } = props;
  const { vertical } = useGlyphs();
  const { isSheet, width, inner } = shape;
  if (isSheet) return <Field {...field} at={{ x, y, width }} />;
  const note = field.line.text === '' ? (field.note ?? '') : '';
  const noted = note === '' ? 0 : Math.max(0, inner - noteColumn);
  return (
    <InkBox width={width}>
      <Text>{`${vertical} `}</Text>
      <Field {...field} at={{ x, y, width: inner - noted }} />
      {noted > 0 && <Row line={[span(note, 'quiet')]} width={noted} />}
      <Text>{` ${vertical}`}</Text>
    </InkBox>
  );
}

/** Returns the title of a sheet, which has the focus: ` PROD: create shop? ━━━━ 9 of 16`. */
function sheetTitle(
  title: Line,
  range: string | undefined,
  width: number,
  { heavy }: Glyphs,
): Line {
  const right: Line = range === undefined ? [] : [span(` ${range}`)];
  const filled = width - lineWidth(right);
  const head = lineWidth(title) > filled - 2 ? fitLine(title, filled - 2) : title;
  return [...fillLine([span(' '), ...head, span(' ')], filled, heavy), ...right];
}

function frameTitle(title: Line, range: string | undefined, width: number, glyphs: Glyphs): Line {
  const right = range === undefined ? [] : [span(` ${range} `)];
  return frameEdge(glyphs.topLeft, title, glyphs.topRight, width, glyphs, right);
}

function frameKeys(hints: readonly Hint[], width: number, glyphs: Glyphs): Line {
  const keys = hintLine(hints, width - 4);
  return frameEdge(glyphs.bottomLeft, keys, glyphs.bottomRight, width, glyphs);
}

function frameEdge(
  start: string,
  label: Line,
  end: string,
  width: number,
  { horizontal }: Glyphs,
  right: Line = [],
): Line {
  const filled = width - 1 - lineWidth(right);
  const room = filled - 3;
  const fitted = lineWidth(label) > room ? fitLine(label, room) : label;
  return [
    ...fillLine([span(`${start} `), ...fitted, span(' ')], filled, horizontal),
    ...right,
    span(end),
  ];
}
