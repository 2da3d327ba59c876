import { Box as InkBox } from 'ink';
import { useGlyphs } from './context.ts';
import { fillLine, fitLine, lineWidth } from '../text/fit.ts';
import { type Hint, hintLine } from '../text/hints.ts';
import { type Line, span } from '../text/line.ts';
import type { EditedLine } from '../text/line-editor.ts';
import { boxRoom, boxWidth, FramedBox } from './box.tsx';
import { Field } from './field.tsx';
import { Row } from './row.tsx';

/** Size below which a list fills the screen, because a box would cut its rows. */
const smallestBox = { columns: 60, rows: 16 };

/** Rows of a sheet beside its list: row 1 of the screen, title, field and keys. */
const sheetChrome = 4;

function isSheet(columns: number, rows: number): boolean {
  return columns < smallestBox.columns || rows < smallestBox.rows;
}

/** Returns the rows of the list: all that a sheet has, or at most `most` in a box. */
export function listRoom(columns: number, rows: number, most: number): number {
  return isSheet(columns, rows) ? rows - sheetChrome : Math.min(most, boxRoom(rows) - 1);
}

/** Returns the cells of a row of the list. */
export function listWidth(columns: number, rows: number): number {
  return isSheet(columns, rows) ? columns : boxWidth(columns) - 4;
}

interface ListBoxProps {
  readonly title: Line;
  /** Visible rows and their number, at the right of the title. */
  readonly range: string;
  readonly field: {
    readonly prompt: string;
    readonly line: EditedLine;
    readonly onEdit?: (line: EditedLine) => void;
  };
  /** Text beside the empty field. */
  readonly note?: string;
  readonly lines: readonly Line[];
  /** Rows of the list at its longest; the upper edge is placed for them. */
  readonly tallest: number;
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
}

/** A text field above a list: a box over the middle, or a sheet on a small terminal. */
export function ListBox(props: ListBoxProps) {
  const { columns, rows, note, tallest, ...others } = props;
  if (isSheet(columns, rows)) return <Sheet {...props} />;
  const field = note === undefined ? props.field : { ...props.field, note };
  return (
    <FramedBox {...others} field={field} tallest={1 + tallest} columns={columns} rows={rows} />
  );
}

/** A list in all rows but the first, without sides. */
function Sheet({ title, range, field, lines, hints, columns, rows }: ListBoxProps) {
  const { horizontal } = useGlyphs();
  const right: Line = [span(` ${range}`)];
  const room = columns - lineWidth(right) - 2;
  const head = lineWidth(title) > room ? fitLine(title, room) : title;
  const filled = fillLine([span(' '), ...head, span(' ')], columns - lineWidth(right), horizontal);
  const height = rows - sheetChrome;
  return (
    <InkBox position="absolute" flexDirection="column" left={0} top={1} width={columns}>
      <Row line={[...filled, ...right]} width={columns} />
      <Field {...field} at={{ x: 0, y: 2, width: columns }} />
      {Array.from({ length: height }, (_, index) => (
        // A row is its place in the sheet.
        // eslint-disable-next-line react/no-array-index-key
        <Row key={index} line={lines[index] ?? []} width={columns} />
      ))}
      <Row line={hintLine(hints, columns)} width={columns} />
    </InkBox>
  );
}
