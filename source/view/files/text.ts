import type { FileBody } from '../../store/files/files.ts';
import { formatBytes } from '../text/amount.ts';
import { type Line, plain, span } from '../text/line.ts';

export interface FileText {
  /** What must be said of the file before its lines. */
  readonly notes: readonly Line[];
  /** Raw lines without their ends. */
  readonly lines: readonly string[];
}

/** Splitting a large file once per key would be felt. */
const known = new WeakMap<FileBody, FileText>();

/** A file as lines, or a word about why it is not shown as text. */
export function viewedText(body: FileBody): FileText {
  const before = known.get(body);
  if (before !== undefined) return before;
  const text = readText(body);
  known.set(body, text);
  return text;
}

const ambiguous = 'The service answered JSON: it cannot be told whether this is exactly the file.';

function readText(body: FileBody): FileText {
  if (body.text === undefined) {
    const size = formatBytes(body.bytes.byteLength);
    return { notes: [plain(`Binary file, ${size}. It is not shown as text.`)], lines: [] };
  }
  const notes: Line[] = body.certainty === 'ambiguous' ? [[span(ambiguous, 'busy')]] : [];
  const lines = body.text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return { notes: lines.length === 0 ? [...notes, [span('Empty file.', 'quiet')]] : notes, lines };
}
