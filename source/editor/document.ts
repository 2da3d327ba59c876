import { Text } from '@codemirror/state';

type LineEnd = '\n' | '\r\n' | '\r';

/** What a document's lines do not say about the file they came from. */
export interface FileFormat {
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
  /** What ends each line. In a file with several line ends, `\n`: a `\r` is then a character. */
  readonly lineEnd: LineEnd;
}

export interface FileDocument {
  readonly doc: Text;
  readonly format: FileFormat;
}

export interface DocumentReader {
  /** Reads some more; the document once it is complete, `undefined` before. */
  readonly step: () => FileDocument | undefined;
}

const bom = '\u{feff}';

/** Code units that one step takes, at least: a few milliseconds' work. */
const sliceLength = 1 << 20;

function lineEndOf(text: string): LineEnd {
  if (!text.includes('\r')) return '\n';
  if (!text.includes('\n')) return '\r';
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? '\n' : '\r\n';
}

/**
 * Reads a file's text in slices, so that the caller can do other things between them. What is read
 * is written back by `writeDocument` as it was, to the last code unit.
 */
export function documentReader(text: string): DocumentReader {
  const format = { bom: text.startsWith(bom), lineEnd: lineEndOf(text) };
  const { lineEnd } = format;
  let doc: Text | undefined;
  let from = format.bom ? bom.length : 0;
  let done = false;
  return {
    step: () => {
      if (!done) {
        const end = text.indexOf(lineEnd, from + sliceLength);
        done = end < 0;
        // The slice goes up to its last line end, so that the next one begins a line.
        const lines = text.slice(from, done ? text.length : end).split(lineEnd);
        const slice = Text.of(lines);
        doc = doc === undefined ? slice : joined(doc, slice);
        from = end + lineEnd.length;
      }
      return done && doc !== undefined ? { doc, format } : undefined;
    },
  };
}

const lineBreak = Text.of(['', '']);

function joined(before: Text, after: Text): Text {
  return before.append(lineBreak).append(after);
}

/** The lines of a file's text, and what is needed to write it back as it was. */
export function readDocument(text: string): FileDocument {
  const reader = documentReader(text);
  let document = reader.step();
  while (document === undefined) document = reader.step();
  return document;
}

/** The text of a file with these lines: of unchanged ones, exactly what was read. */
export function writeDocument(doc: Text, { bom: begins, lineEnd }: FileFormat): string {
  return (begins ? bom : '') + doc.sliceString(0, doc.length, lineEnd);
}

/** Code units of a piece: a fraction of a millisecond's work. */
const pieceLength = 1 << 18;

/** The same text in pieces, made as they are asked for; `length` is that of all of them. */
export function documentPieces(
  doc: Text,
  { bom: begins, lineEnd }: FileFormat,
): { readonly length: number; pieces(): Generator<string, void> } {
  const ends = (doc.lines - 1) * (lineEnd.length - 1);
  return {
    length: (begins ? bom.length : 0) + doc.length + ends,
    *pieces() {
      if (begins) yield bom;
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
