import type { Entry, GapEntry, LineEntry } from '../../../tail/arena/entries.ts';
import { stripSilentCodes, truncateRawText } from '../../../tail/silent-codes.ts';
import { cellWidth, ellipsis } from '../../../terminal/screen/cells.ts';
import { sanitize } from '../../../terminal/screen/sanitize.ts';
import { headOfLine, lineWidth, longestCell, scrolledLine, wrapLine } from '../../text/fit.ts';
import { type Line, type Span, span } from '../../text/line.ts';
import type { LogTimeFormat } from '../../../store/log/times.ts';
import { gapText } from '../gap.ts';
import {
  colouredSpans,
  columnSpans,
  type Gutter,
  lineToken,
  prefixSpans,
  type LogStyle,
  recordSpans,
} from './line.ts';
import { MeasuredText, type TextPoint, type TextRows } from './measured-text.ts';
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

/** The place of a match in the rows of its line, or in the text behind the fixed columns. */
export interface MatchPlace {
  /** Rows of the line before it. */
  readonly row: number;
  /** Its first cell and the one behind it. */
  readonly cells: readonly [from: number, to: number];
  /** Cells of the fixed columns. */
  readonly fixed: number;
}

/** Stands for the rows of a line above the visible ones. */
export const rowAbove: Line = [];

/**
 * Returns the rows of one entry. A wrapped line may be longer than the pane: its rows above `above` are
 * only counted, and no more than a pane follows.
 */
export function entryRows(
  entry: Entry<LogLine>,
  style: LogStyle,
  gutter: Gutter,
  layout: LogLayout,
  above = 0,
): readonly Line[] {
  if (entry.kind === 'gap') return [gapRow(entry, style, gutter)];
  const { width, height, wrap, scrollLeft } = layout;
  const prefix = prefixSpans({ ...entry.line, member: entry.member }, style, gutter);
  const fixed = lineWidth(prefix);
  if (!wrap) {
    const { start, text } = drawnText(entry, style, layout, {
      rows: unwrapped,
      isBefore: ({ column }) => column < scrollLeft,
      end: ({ column }) => scrollLeft + width - column,
    });
    const before = start.from === 0 ? [] : [hiddenSpan(entry, style, start)];
    const hidden = scrollLeft - start.column + lineWidth(before);
    return [[...prefix, ...scrolledLine([...before, ...text], hidden)]];
  }
  const rows = { width, column: fixed };
  const { start, text } = drawnText(entry, style, layout, {
    rows,
    isBefore: ({ row }) => row < above,
    end: ({ row }) => (above + height - row) * width,
  });
  const indent = start.from === 0 ? prefix : [span(' '.repeat(start.column))];
  const drawn = wrapLine([...indent, ...text], width, above + height - start.row);
  return start.row === 0 ? drawn : [...Array.from({ length: start.row }, () => rowAbove), ...drawn];
}

/** Returns the place of the first match of a line; undefined where none is drawn. */
export function matchPlace(
  entry: LineEntry<LogLine>,
  style: LogStyle,
  gutter: Gutter,
  layout: LogLayout,
): MatchPlace | undefined {
  const { search } = style;
  const { width, wrap } = layout;
  const fixed = lineWidth(prefixSpans({ ...entry.line, member: entry.member }, style, gutter));
  const match = search && measuredTextOf(entry).matchBehind(search, 0);
  if (match === undefined) return undefined;
  const { start, text } = drawnText(entry, style, layout, {
    rows: wrap ? { width, column: fixed } : unwrapped,
    isBefore: ({ from }) => from <= match[0],
    end: ({ from }) => match[1] - from,
  });
  const line = [span(' '.repeat(start.column)), ...text];
  const first = line.findIndex(isMatch);
  if (first < 0) return undefined;
  const behind = line.findIndex((part, index) => index > first && !isMatch(part));
  const from = lineWidth(line.slice(0, first));
  const to = lineWidth(line.slice(0, behind < 0 ? line.length : behind));
  const row = wrap ? wrapLine(line, width).findIndex((each) => each.some(isMatch)) : 0;
  return { row: start.row + row, cells: [from, to], fixed };
}

const isMatch = ({ token, text }: Span): boolean => token === 'match' && text !== '';

/** The part of a line that is drawn. */
interface DrawnPart {
  readonly rows: TextRows;
  /** Returns whether a point is before the part. */
  readonly isBefore: (point: TextPoint) => boolean;
  /** Returns the cells from a point to the end of the part. */
  readonly end: (point: TextPoint) => number;
}

const unwrapped: TextRows = { width: Number.POSITIVE_INFINITY, column: 0 };

/**
 * Returns a part of the text of a line as it is drawn, and the point where it starts. A line can be a
 * megabyte long, so only the part that can be visible is processed.
 */
function drawnText(
  entry: LineEntry<LogLine>,
  style: LogStyle,
  { rawJson }: LogLayout,
  part: DrawnPart,
): { readonly start: TextPoint; readonly text: Line } {
  const { line } = entry;
  const underlined = (text: Line): Line =>
    style.code?.of({ ...line, member: entry.member }, text) ?? text;
  const record = rawJson ? undefined : (matchlessColumns(entry, style) ?? recordSpans(line, style));
  if (record !== undefined) {
    const start = { from: 0, cells: 0, row: 0, column: part.rows.column };
    return { start, text: underlined(headOfLine(record, part.end(start))) };
  }
  const start = measuredTextOf(entry).pointBefore(part.rows, part.isBefore);
  return { start, text: underlined(partSpans(entry, style, start, part.end(start))) };
}

/** Returns the chosen columns of a line; undefined where a match would not be visible in them. */
function matchlessColumns(entry: LineEntry<LogLine>, style: LogStyle): Line | undefined {
  const { search, columns } = style;
  if (columns === undefined) return undefined;
  const hasMatch =
    search !== undefined && measuredTextOf(entry).matchBehind(search, 0) !== undefined;
  return hasMatch ? undefined : columnSpans(entry.line, style);
}

/** Returns the text from a point on, as far as it can fill some cells. */
function partSpans(
  entry: LineEntry<LogLine>,
  { search }: LogStyle,
  start: TextPoint,
  cells: number,
): Line {
  const { line } = entry;
  const { from } = start;
  const part = headFor(from === 0 ? line.logLine : line.logLine.slice(from), cells);
  const to = from + part.length;
  const marks = search === undefined ? [] : measuredTextOf(entry).marks(search, from, to);
  const colours = from === 0 ? '' : measuredTextOf(entry).coloursAt(from);
  const shift = colours.length - from;
  const text = colouredSpans(
    colours + part,
    marks.map(([first, end]) => [Math.max(from, first) + shift, Math.min(end, to) + shift]),
    lineToken(line),
    start.cells,
  );
  if (to === line.logLine.length) return text;
  const hasMatch =
    search !== undefined && measuredTextOf(entry).matchBehind(search, to) !== undefined;
  return [...text, span(ellipsis(), hasMatch ? 'match' : undefined)];
}

/** Returns the start of a text that fills a number of cells, or all of the text. */
function headFor(text: string, cells: number): string {
  let units = cells + spareUnits;
  let head = truncateRawText(text, units);
  while (head.length < text.length && units < cells * longestCell) {
    if (cellWidth(sanitize(stripSilentCodes(head))) >= cells) break;
    units *= 2;
    head = truncateRawText(text, units);
  }
  return head;
}

/** Code units more than cells, so that the last cells have whole characters. */
const spareUnits = 16;

/** Returns a span for the text before a point, which is never visible. */
function hiddenSpan(entry: LineEntry<LogLine>, { search }: LogStyle, { from }: TextPoint): Span {
  const first = search && measuredTextOf(entry).matchBehind(search, 0);
  return span(ellipsis(), first !== undefined && first[0] < from ? 'match' : undefined);
}

const measuredTexts = new WeakMap<Entry<LogLine>, MeasuredText>();

function measuredTextOf(entry: LineEntry<LogLine>): MeasuredText {
  const known = measuredTexts.get(entry);
  if (known !== undefined) return known;
  const text = new MeasuredText(entry.line.logLine);
  measuredTexts.set(entry, text);
  return text;
}

/** Returns the row of a gap. */
function gapRow(gap: GapEntry<LogLine>, { members }: LogStyle, { hasCursor }: Gutter): Line {
  const owner = members?.[gap.member ?? -1]?.label;
  const start = span(hasCursor ? '>' : ' ', 'info');
  return [start, span(gapText(gap, owner), gap.state.kind === 'filling' ? 'busy' : 'bad')];
}
