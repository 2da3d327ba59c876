import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  documentPieces,
  createDocumentReader,
  type FileFormat,
  readDocument,
  writeDocument,
} from '../../source/editor/document.ts';

const bom = '\u{feff}';
const piece = fc.constantFrom(
  '\n',
  '\r\n',
  '\r',
  '',
  'a',
  'key: value',
  '\t',
  ' ',
  '日本',
  'שלום',
  '👩‍👩‍👧',
  'e\u0301',
  bom,
  '\u2028',
  '\u0000',
  '\ud800',
  '\udc00',
  '\u001b[31m',
);
const mixed = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const uniform = fc
  .tuple(
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.array(
      mixed.map((text) => text.replaceAll(/[\r\n]/g, '')),
      { maxLength: 6 },
    ),
    fc.boolean(),
  )
  .map(([end, lines, final]) => lines.join(end) + (final ? end : ''));
const anyText = fc
  .tuple(fc.constantFrom('', bom), fc.oneof(mixed, uniform))
  .map((parts) => parts.join(''));

const roundTrip = (text: string): string => {
  const { doc, format } = readDocument(text);
  return writeDocument(doc, format);
};

describe('a document', () => {
  test('is written back unchanged with any line ends', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(roundTrip(text)).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  test.each<[string, FileFormat, string[]]>([
    ['a\nb\n', { hasBom: false, lineEnd: '\n' }, ['a', 'b', '']],
    ['a\r\nb', { hasBom: false, lineEnd: '\r\n' }, ['a', 'b']],
    ['a\rb\r', { hasBom: false, lineEnd: '\r' }, ['a', 'b', '']],
    ['a\r\nb\nc\rd', { hasBom: false, lineEnd: '\n' }, ['a\r', 'b', 'c\rd']],
    [`${bom}a`, { hasBom: true, lineEnd: '\n' }, ['a']],
    ['', { hasBom: false, lineEnd: '\n' }, ['']],
  ])('of %j has its format and lines', (text, format, lines) => {
    const document = readDocument(text);
    expect(document.format).toEqual(format);
    expect(document.doc.toJSON()).toEqual(lines);
  });

  test.each(['\n', '\r\n', '\r'])('of 10 MB with line end %j is read in slices', (lineEnd) => {
    const text = `${bom}${`some: value${lineEnd}`.repeat(900_000)}last`;
    const reader = createDocumentReader(text);
    let steps = 1;
    let read = reader.step();
    while (read === undefined) {
      steps += 1;
      read = reader.step();
    }
    expect(steps).toBeGreaterThan(5);
    expect(read.doc.lines).toBe(900_001);
    expect(writeDocument(read.doc, read.format) === text).toBe(true);
  });

  test('of one line of 10 MB is read as one line', () => {
    const text = 'x'.repeat(10_000_000);
    expect(readDocument(text).doc.lines).toBe(1);
    expect(roundTrip(text) === text).toBe(true);
  });
});

test('the pieces of a document join to its text and report its length', () => {
  const tail = fc.constantFrom('', '🦊'.repeat((1 << 17) + 1), 'ab\n'.repeat(1 << 17));
  fc.assert(
    fc.property(fc.constantFrom('', 'x'), anyText, tail, (before, text, after) => {
      const { doc, format } = readDocument(before + text + after);
      const long = documentPieces(doc, format);
      const all = [...long.pieces()];
      expect(all.join('')).toBe(writeDocument(doc, format));
      expect(all.join('').length).toBe(long.length);
      expect(all.filter((one) => /[\ud800-\udbff]$/.test(one) && after !== '')).toEqual([]);
    }),
  );
});
