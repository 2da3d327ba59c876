import type { BodyScroll } from '../../store/prompts/body-scroll.ts';
import { type BodySelection, bodyView } from '../text/box-body.ts';
import { boxShape } from '../text/box-shape.ts';
import type { Hint } from '../text/hints.ts';
import type { Line } from '../text/line.ts';
import { type BoxField, FramedBox } from './box.tsx';
import { scrollHints, useBodyScroll } from './use-body-scroll.ts';

/** A box whose text scrolls (`PgUp`, `PgDn`), above a field and buttons that stay visible. */
export function ScrollingBox(props: {
  readonly title: Line;
  readonly body: readonly Line[];
  /** Rows of the body that are visible until a key scrolls it. */
  readonly selection?: BodySelection;
  readonly scroll: BodyScroll | undefined;
  /** Field below the body, and the rows directly above the field. */
  readonly field?: (BoxField & { readonly above: readonly Line[] }) | undefined;
  /** Rows that stay visible at the bottom. */
  readonly answers: readonly Line[];
  readonly hints: readonly Hint[];
  readonly columns: number;
  readonly rows: number;
}) {
  const { title, body, scroll, field, answers, hints, columns, rows } = props;
  const fieldRows = field === undefined ? 0 : field.above.length + 1;
  const room = boxShape(columns, rows).room - fieldRows - answers.length;
  const view = bodyView(body.length, room, scroll, props.selection);
  const { top, page, range } = view;
  useBodyScroll(view, scroll);
  const blank: readonly Line[] = [[]];
  const gap = body.length < room ? blank : [];
  const text = [...body.slice(top, top + page), ...gap];
  const box = { title, range, columns, rows, hints: scrollHints(hints, view) };
  if (field === undefined) return <FramedBox {...box} lines={[...text, ...answers]} />;
  const gapBelow = body.length + 1 < room ? blank : [];
  return (
    <FramedBox
      {...box}
      above={[...text, ...field.above]}
      field={field}
      lines={[...gapBelow, ...answers]}
    />
  );
}
