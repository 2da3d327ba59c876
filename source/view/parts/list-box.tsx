import { boxShape } from '../text/box-shape.ts';
import type { Hint } from '../text/hints.ts';
import type { Line } from '../text/line.ts';
import { type BoxField, FramedBox } from './box.tsx';

/** Returns the rows of a list below a field: all that a sheet has, or at most `most` in a frame. */
export function listRoom(columns: number, rows: number, most: number): number {
  const { isSheet, room } = boxShape(columns, rows);
  return isSheet ? room - 1 : Math.min(most, room - 1);
}

/** A text field above a list: a frame over the middle, or a sheet on a small terminal. */
export function ListBox(props: {
  readonly title: Line;
  /** Visible rows and their number, at the right of the title. */
  readonly range?: string;
  readonly field: BoxField;
  readonly lines: readonly Line[];
  /** Rows of the list at its longest; the upper edge is placed for them. */
  readonly tallest: number;
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
}) {
  return <FramedBox {...props} tallest={1 + props.tallest} />;
}
