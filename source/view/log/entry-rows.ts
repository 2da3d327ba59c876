import type { LogLine } from '../../store/log/reader/view.ts';
import type { Entry, GapEntry } from '../../tail/arena/entries.ts';
import { truncateColoured } from '../../terminal/screen/coloured-text.ts';
import { longestCell, sliceLine, wrapLine } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';
import type { LogTimeFormat } from '../../store/log/times.ts';
import { gapText } from './gap.ts';
import { type Gutter, headSpans, type LogStyle, textSpans } from './line.ts';

/** The layout of the log: pane size, wrapping, time format and horizontal scroll. */
export interface LogLook {
  readonly width: number;
  readonly height: number;
  readonly wrap: boolean;
  readonly times: LogTimeFormat;
  /** Columns scrolled to the right. */
  readonly left: number;
}

/** Returns the rows of one entry. */
export function entryRows(
  entry: Entry<LogLine>,
  style: LogStyle,
  gutter: Gutter,
  { width, height, wrap, left }: LogLook,
): readonly Line[] {
  if (entry.kind === 'gap') return [gapLine(entry, style, gutter)];
  // A line can be a megabyte long, so only the part that can be visible is processed.
  const inSight = (wrap ? width * height : left + width) * longestCell;
  const text = truncateColoured(entry.line.logLine, inSight);
  const line = { ...entry.line, logLine: text, member: entry.member };
  const [head, rest] = [headSpans(line, style, gutter), textSpans(line, style)];
  if (wrap) return wrapLine([...head, ...rest], width, height);
  return [[...head, ...(left === 0 ? rest : sliceLine(rest, left))]];
}

/** Returns the row of a gap. */
function gapLine(gap: GapEntry<LogLine>, { members }: LogStyle, { cursor }: Gutter): Line {
  const whose = members?.[gap.member ?? -1]?.word;
  const start = span(cursor ? '>' : ' ', 'info');
  return [start, span(gapText(gap, whose), gap.state.kind === 'filling' ? 'busy' : 'bad')];
}
