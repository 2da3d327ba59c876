import type { Comparison, DiffRow, DiffLayout, SideBySideRow } from '../../editor/diff-rows.ts';
import { formatCount } from '../text/amount.ts';
import type { Difference, DifferenceState } from '../../store/editor/difference.ts';
import {
  type DiffStyle,
  sideWidths,
  sideBySideMinWidth,
  sideBySideLine,
  unifiedLine,
} from './diff-lines.ts';
import { fitLine } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/** Lays out a difference for a width in columns: side by side, or unified where it is narrow. */
export function diffLaid(
  comparison: Comparison,
  width: number,
): DiffLayout<DiffRow | SideBySideRow> {
  return width >= sideBySideMinWidth ? comparison.sideBySide() : comparison.unified();
}

/** Size and scroll position of the pane. */
export interface DiffViewport {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly left: number;
  /** Divider between the sides. */
  readonly divider: string;
}

/** Returns the titles of the sides, then the visible rows with the current change marked. */
export function diffRows(
  { shown, change, row: chosen }: DifferenceState,
  { width, height, top, left, divider }: DiffViewport,
): readonly Line[] {
  if (shown === undefined) return [];
  const { rows, changes } = diffLaid(shown.comparison, width);
  const numberWidth = String(shown.comparison.lines).length;
  const style: DiffStyle = { numberWidth, width: width - 1, scrollLeft: left };
  const from = firstDiffRow(rows.length, top, height);
  const marked = chosen ?? changes[change];
  const visible = rows.slice(from, from + height - 1).map((row, index): Line => {
    const mark = span(marked === from + index ? '>' : ' ', 'focus');
    return [mark].concat(rowLine(row, style, divider));
  });
  return [sidesLine(shown, width), ...visible];
}

/** Returns the first visible row of a pane whose own first row has the titles of the sides. */
export function firstDiffRow(count: number, top: number, height: number): number {
  return Math.max(0, Math.min(top, count - (height - 1)));
}

function rowLine(row: DiffRow | SideBySideRow, style: DiffStyle, divider: string): Line {
  return row.kind === 'lines' ? sideBySideLine(row, style, divider) : unifiedLine(row, style);
}

/** Returns the searched text of each row; both sides where they differ. */
export function diffTexts({ shown }: DifferenceState, width: number): readonly string[] {
  if (shown === undefined) return [];
  return diffLaid(shown.comparison, width).rows.map((row) => {
    if (row.kind === 'skipped') return '';
    if (row.kind !== 'lines') return row.text;
    const [before = '', after = ''] = [row.before?.text, row.after?.text];
    return before === after ? before : `${before}\n${after}`;
  });
}

/** Returns the titles of the sides: `- service at 14:02:11  + draft of 13:58:02  +3 -1 lines`. */
function sidesLine({ before, after, comparison }: Difference, width: number): Line {
  const left: Line = [span(' - ', 'bad'), { text: before }];
  const right: Line = [span('+ ', 'good'), { text: after }, ...notes(comparison)];
  if (width < sideBySideMinWidth) return [...left, { text: '  ' }, ...right];
  return [...fitLine(left, 1 + sideWidths(width - 1).left + 3), ...right];
}

function notes({ counts, rough }: Comparison): Line {
  const { added, removed } = counts;
  return [
    ...(rough ? [span('  compared roughly', 'busy')] : []),
    span(`  +${formatCount(added)} -${formatCount(removed)} lines`, 'quiet'),
  ];
}

/** Returns the position for the row above the hints: `change 2 of 5`. */
export function changeText({ shown, change }: DifferenceState): string {
  const count = shown?.comparison.changeCount ?? 0;
  return `change ${formatCount(change + 1)} of ${formatCount(count)}`;
}
