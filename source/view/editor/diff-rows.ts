import type { Comparison, DiffRow, DiffLayout, SideBySideRow } from '../../editor/diff-rows.ts';
import { formatCount } from '../text/amount.ts';
import type { Difference, DifferenceState } from '../../store/editor/difference.ts';
import {
  type DiffStyle,
  halves,
  sideBySideFrom,
  sideBySideLine,
  unifiedLine,
} from './diff-lines.ts';
import { fitLine } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/** The rows of a difference as they are laid out in so many columns. */
export function diffLaid(
  comparison: Comparison,
  width: number,
): DiffLayout<DiffRow | SideBySideRow> {
  return width >= sideBySideFrom ? comparison.sideBySide() : comparison.unified();
}

export interface DiffLook {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly left: number;
  /** Between the sides. */
  readonly vertical: string;
}

/** What the sides are, and as many rows as there is room for, the change gone to last marked. */
export function diffRows(
  { shown, change }: DifferenceState,
  { width, height, top, left, vertical }: DiffLook,
): readonly Line[] {
  if (shown === undefined) return [];
  const { rows, changes } = diffLaid(shown.comparison, width);
  const digits = String(shown.comparison.lines).length;
  const style: DiffStyle = { digits, width: width - 1, from: left };
  const from = Math.max(0, Math.min(top, rows.length - (height - 1)));
  const seen = rows.slice(from, from + height - 1).map((row, index): Line => {
    const mark = span(changes[change] === from + index ? '>' : ' ', 'focus');
    return [mark].concat(rowLine(row, style, vertical));
  });
  return [sidesLine(shown, width), ...seen];
}

function rowLine(row: DiffRow | SideBySideRow, style: DiffStyle, vertical: string): Line {
  return row.kind === 'lines' ? sideBySideLine(row, style, vertical) : unifiedLine(row, style);
}

/** `- service at 14:02:11  + draft of 13:58:02  +3 -1 lines`. */
function sidesLine({ before, after, comparison }: Difference, width: number): Line {
  const left: Line = [span(' - ', 'bad'), { text: before }];
  const right: Line = [span('+ ', 'good'), { text: after }, ...notes(comparison)];
  if (width < sideBySideFrom) return [...left, { text: '  ' }, ...right];
  return [...fitLine(left, 1 + halves(width - 1).left + 3), ...right];
}

function notes({ counts, rough }: Comparison): Line {
  const { added, removed } = counts;
  return [
    ...(rough ? [span('  compared roughly', 'busy')] : []),
    span(`  +${formatCount(added)} -${formatCount(removed)} lines`, 'quiet'),
  ];
}

/** `change 2 of 5`, for the row above the keys. */
export function changeText({ shown, change }: DifferenceState): string {
  const count = shown?.comparison.changeCount ?? 0;
  return `change ${formatCount(change + 1)} of ${formatCount(count)}`;
}
