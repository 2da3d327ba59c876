import { Text } from '@codemirror/state';

type LineSeparator = '\n' | '\r\n' | '\r';

/** The format of a file beyond its lines: byte order mark and line ends. */
export interface FileFormat {
  /** True when the file starts with a byte order mark. */
  readonly hasBom: boolean;
  /**
   * The line separator. A file with mixed line ends uses `\n`, and each `\r` is then a character.
   */
  readonly lineEnd: LineSeparator;
}

export interface FileDocument {
  readonly doc: Text;
  readonly format: FileFormat;
}

export interface DocumentReader {
  /** Reads one more slice. Returns the document once it is complete, `undefined` before. */
  readonly step: () => FileDocument | undefined;
}

const bom = '\u{feff}';

/** The least code units that one step reads: a few milliseconds of work. */
const sliceLength = 1 << 20;

function lineEndOf(text: string): LineSeparator {
  if (!text.includes('\r')) return '\n';
  if (!text.includes('\n')) return '\r';
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? '\n' : '\r\n';
}

/**
 * Reads a file's text in slices, so that the caller can do other work between them. `writeDocument`
 * restores the text to the last code unit.
 */
export function createDocumentReader(text: string): DocumentReader {
  const format: FileFormat = { hasBom: text.startsWith(bom), lineEnd: lineEndOf(text) };
  const { lineEnd } = format;
  let doc: Text | undefined;
  let from = format.hasBom ? bom.length : 0;
  let isDone = false;
  return {
    step: () => {
      if (!isDone) {
        const end = text.indexOf(lineEnd, from + sliceLength);
        isDone = end < 0;
        // The slice ends at a line end, so that the next one starts a line.
        const lines = text.slice(from, isDone ? text.length : end).split(lineEnd);
        const slice = Text.of(lines);
        doc = doc === undefined ? slice : appendLines(doc, slice);
        from = end + lineEnd.length;
      }
      return isDone && doc !== undefined ? { doc, format } : undefined;
    },
  };
}

const lineBreak = Text.of(['', '']);

function appendLines(before: Text, after: Text): Text {
  return before.append(lineBreak).append(after);
}

/** Parses a file's text into its lines and format. */
export function readDocument(text: string): FileDocument {
  const reader = createDocumentReader(text);
  let document = reader.step();
  while (document === undefined) document = reader.step();
  return document;
}

/** Serializes a document. Unchanged lines are written exactly as they were read. */
export function writeDocument(doc: Text, { hasBom, lineEnd }: FileFormat): string {
  return (hasBom ? bom : '') + doc.sliceString(0, doc.length, lineEnd);
}

/** Code units of a piece: a fraction of a millisecond of work. */
const pieceLength = 1 << 18;

/** Serializes a document in pieces, lazily; `length` is their total length in code units. */
export function documentPieces(
  doc: Text,
  { hasBom, lineEnd }: FileFormat,
): { readonly length: number; pieces(): Generator<string, void> } {
  const ends = (doc.lines - 1) * (lineEnd.length - 1);
  return {
    length: (hasBom ? bom.length : 0) + doc.length + ends,
    *pieces() {
      if (hasBom) yield bom;
      for (let from = 0; from < doc.length; ) {
        let piece = doc.sliceString(from, from + pieceLength);
        const isCut = from + piece.length < doc.length && /[\uD800-\uDBFF]$/.test(piece);
        if (isCut) piece = piece.slice(0, -1);
        from += piece.length;
        yield lineEnd === '\n' ? piece : piece.replaceAll('\n', lineEnd);
      }
    },
  };
}
