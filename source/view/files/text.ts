import { formatBytes } from '../text/amount.ts';
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
