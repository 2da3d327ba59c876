import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';
import { truncateRawText } from '../../../tail/silent-codes.ts';
import { longestCell, sliceLine, wrapLine } from '../../text/fit.ts';
import { type Line, span } from '../../text/line.ts';
import type { LogTimeFormat } from '../../../store/log/times.ts';
import { gapText } from '../gap.ts';
import {
  columnSpans,
  type Gutter,
  prefixSpans,
  type LogStyle,
  recordSpans,
  textSpans,
} from './line.ts';
import type { LogLine } from '../../../contract/logs.ts';

/** The layout of the log: pane size, wrapping, time format and horizontal scroll. */
export interface LogLayout {
  readonly width: number;
  readonly height: number;
  readonly wrap: boolean;
  readonly times: LogTimeFormat;
  /** True to show JSON records as they are written. */
  readonly rawJson: boolean;
  /** Columns scrolled to the right. */
  readonly scrollLeft: number;
}

/** Returns the rows of one entry. */
export function entryRows(
  entry: Entry<LogLine>,
  style: LogStyle,
  gutter: Gutter,
  layout: LogLayout,
): readonly Line[] {
  if (entry.kind === 'gap') return [gapRow(entry, style, gutter)];
  const { width, height, wrap, scrollLeft } = layout;
  // A line can be a megabyte long, so only the part that can be visible is processed.
  const maxVisible = (wrap ? width * height : scrollLeft + width) * longestCell;
  const visibleText = truncateRawText(entry.line.logLine, maxVisible);
  const line = { ...entry.line, logLine: visibleText, member: entry.member };
  const record = layout.rawJson
    ? undefined
    : (columnSpans(entry.line, style) ?? recordSpans(entry.line, style));
  const prefix = prefixSpans(line, style, gutter);
  const plainText = record ?? textSpans(line, style);
  const text = style.code?.of(line, plainText) ?? plainText;
  if (wrap) return wrapLine([...prefix, ...text], width, height);
  return [[...prefix, ...(scrollLeft === 0 ? text : sliceLine(text, scrollLeft))]];
}

/** Returns the row of a gap. */
function gapRow(gap: GapEntry<LogLine>, { members }: LogStyle, { hasCursor }: Gutter): Line {
  const owner = members?.[gap.member ?? -1]?.label;
  const start = span(hasCursor ? '>' : ' ', 'info');
  return [start, span(gapText(gap, owner), gap.state.kind === 'filling' ? 'busy' : 'bad')];
}
