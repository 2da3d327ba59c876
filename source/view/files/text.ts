import { formatBytes } from '../../store/files/file-size.ts';
import { formatCount } from '../text/amount.ts';
import { wrapLine } from '../text/fit.ts';
import { type Line, plain, span } from '../text/line.ts';
import type { FileBody } from '../../client/file-content.ts';

/** The content of a file for the viewer. */
export interface FileText {
  /** Notes above the lines. */
  readonly notes: readonly Line[];
  /** Unsanitised lines without their ends. */
  readonly lines: readonly string[];
}

/** Caches the lines, because splitting a large file for each key is slow. */
const cache = new WeakMap<FileBody, FileText>();

/** Returns the lines of a file, or a note that explains why it is not shown as text. */
export function viewedText(body: FileBody): FileText {
  const cached = cache.get(body);
  if (cached !== undefined) return cached;
  const text = splitText(body);
  cache.set(body, text);
  return text;
}

const ambiguousNote = "The service's answer may contain more than the file.";

function splitText(body: FileBody): FileText {
  if (body.text === undefined) {
    const size = formatBytes(body.bytes.byteLength);
    return { notes: [plain(`Binary file, ${size}. It is not shown as text.`)], lines: [] };
  }
  const notes: Line[] = body.certainty === 'ambiguous' ? [[span(ambiguousNote, 'busy')]] : [];
  const lines = body.text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return { notes: lines.length === 0 ? [...notes, [span('Empty file.', 'quiet')]] : notes, lines };
}

/** Cells before the number of a line: the cursor, and two blanks as in the lists. */
const cursorCells = 3;

/** Returns the cells before a line of a text of `count` lines: the cursor, the number and a blank. */
export function lineNumberCells(count: number): number {
  return cursorCells + String(count).length + 1;
}

/** Returns the cells before a line: the cursor, where it is on the line, and the number. */
export function lineNumber(row: number, count: number, isCursor: boolean): Line {
  const width = lineNumberCells(count) - 2;
  return [
    span(isCursor ? '>' : ' ', 'focus'),
    span(`${String(row + 1).padStart(width)} `, 'quiet'),
  ];
}

/**
 * Returns the visible lines and their number: `1-6 of 6`; empty for a text without lines.
 * @param top first visible row; the notes come before the lines.
 */
export function viewedRange(
  { notes, lines }: FileText,
  { top, wrap }: { readonly top: number; readonly wrap: boolean },
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const first = Math.max(0, top - notes.length);
  let room = height - Math.max(0, notes.length - top);
  let end = first;
  for (; end < lines.length && room > 0; end += 1) {
    const line = [...lineNumber(end, lines.length, false), span(lines[end] ?? '')];
    room -= wrap ? wrapLine(line, width, room).length : 1;
  }
  const [from, to, of] = [first + 1, end, lines.length].map(formatCount);
  return end === first ? '' : `${from}-${to} of ${of}`;
}
