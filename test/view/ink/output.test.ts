import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import StockOutput from '../../../node_modules/ink/build/output.js';
import { parseRow } from '../../../source/terminal/screen/cell-row.ts';
import { Output } from '../../../source/view/ink/output.ts';
import { codePoint } from '../../support/code-point.ts';

type Operation =
  | { readonly kind: 'write'; readonly x: number; readonly y: number; readonly text: string }
  | { readonly kind: 'clip'; readonly clip: Parameters<Output['clip']>[0] }
  | { readonly kind: 'unclip' };

type Transform = (line: string, index: number) => string;

const transforms: readonly Transform[] = [
  (line) => line,
  (line) => `\x1b[1m${line}\x1b[22m`,
  (line, index) => `${index}:${line}`,
  (line) => `\x1b[38;2;1;2;3m${line}\x1b[39m`,
  () => '',
  (line) => line.replaceAll('a', 'A'),
];

const corpus = [
  [
    'plain text',
    '─── rule ───',
    'ümläut',
    'e\u0301a\u0308',
    '日本語',
    'x日y',
    '한국어',
    'नमस्ते',
    'ที่นี่',
  ],
  [
    '😀😃',
    '❤️',
    '👩‍👩‍👧',
    '✌🏽',
    '1️⃣',
    '🇩🇪🇫🇷',
    'שלום',
    'مرحبا',
    '\u{fdd0}\u{fdd0}\u{fdd0}\u{fdd0}',
    'a\u200bb',
  ],
  [
    '\u00ad',
    '  spaces  ',
    '\u3000',
    '\u00a0',
    'two\nlines',
    '\n',
    'a\n\nb',
    '\x1b[31mred\nstill red\x1b[39m not',
  ],
  [
    '\x1b[1;31;44mall\x1b[0m',
    '\x1b[1m\x1b[2mboth\x1b[22m',
    '\x1b[7m \x1b[27m',
    '\x1b[38;5;100mx\x1b[0m',
  ],
  [
    '\x1b]8;;https://a.example\x07link\x1b]8;;\x07',
    '\x1b]8;;u\x1b\\日本\x1b]8;;\x1b\\',
    '\x1b[2Kx',
    '\x1b',
    '\x9b31m',
  ],
  ['\x1b[4m日本\x1b[24m', '\x1b[41m   \x1b[49m', '\x1b[31m\u0301x', '\tt', 'c\r\nd', '\ud800'],
].flat();

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...corpus) },
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: codePoint, maxLength: 4 }),
  fc.constantFrom(0, 1, 2, 3, 4, 7, 9, 22, 24, 27, 31, 39, 42, 49).map((code) => `\x1b[${code}m`),
);

const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));

const edge = fc.option(fc.integer({ min: -3, max: 24 }), { nil: undefined });

const operation: fc.Arbitrary<Operation & { readonly transforms: readonly Transform[] }> = fc
  .tuple(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('write' as const),
          x: fc.integer({ min: -4, max: 26 }),
          y: fc.integer({ min: -2, max: 9 }),
          text,
        }),
      },
      fc.record({
        kind: fc.constant('clip' as const),
        clip: fc.record({ x1: edge, x2: edge, y1: edge, y2: edge }),
      }),
      fc.record({ kind: fc.constant('unclip' as const) }),
    ),
    fc.array(fc.constantFrom(...transforms), { maxLength: 2 }),
  )
  .map(([made, applied]) => Object.assign(made, { transforms: applied }));

type Operations = readonly (Operation & { readonly transforms: readonly Transform[] })[];

function drawn(output: Output | StockOutput, operations: Operations): { output: string } {
  for (const made of operations) {
    if (made.kind === 'write') {
      output.write(made.x, made.y, made.text, { transformers: [...made.transforms] });
    } else if (made.kind === 'clip') output.clip(made.clip);
    else output.unclip();
  }
  return output.get();
}

function expectSame(operations: Operations): void {
  const size = { width: 20, height: 7 };
  const ours = drawn(new Output(size), operations);
  expect(cellsOf(ours.output)).toEqual(cellsOf(drawn(new StockOutput(size), operations).output));
}

// eslint-disable-next-line no-control-regex
const link = /\x1b\]8;[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)/g;

/** Parses a frame into cells, because codes may differ. Only Ink keeps links. */
function cellsOf(output: string): readonly unknown[] {
  return output
    .replaceAll(link, '')
    .split('\n')
    .map((row) => {
      // Ink does not trim blanks before a link.
      const { texts, styles } = parseRow(row.trimEnd(), 40);
      return { text: texts.join('|'), styles: styles.join() };
    });
}

test.each(corpus)('draws %j as Ink does', (written) => {
  const write = (x: number, y: number): Operations[number] => {
    return { kind: 'write', x, y, text: written, transforms: [] };
  };
  for (let x = -3; x < 22; x += 1) expectSame([write(x, 1)]);
  for (let x = 0; x < 6; x += 1) expectSame([write(3, 1), write(x, 2), write(x, 1), write(2, 0)]);
  const clip = { x1: 4, x2: 7, y1: 0, y2: 2 };
  for (let x = 0; x < 8; x += 1) {
    expectSame([{ kind: 'clip', clip, transforms: [] }, write(x, 0), write(x, 1)]);
  }
});

test('draws anything as Ink does', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 10 }), (operations) => expectSame(operations)),
    { numRuns: 300 },
  );
});

test('draws a frame with a few changes as Ink does', () => {
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 3, maxLength: 10 }),
      fc.array(operation, { maxLength: 2 }),
      fc.nat(10),
      (operations, others, at) => {
        expectSame(operations);
        expectSame([...operations.slice(0, at), ...others, ...operations.slice(at)]);
        expectSame(operations.toReversed());
      },
    ),
    { numRuns: 200 },
  );
});

test('keeps a bounded number of styles', () => {
  for (let colour = 0; colour < 12_000; colour += 400) {
    const operations = Array.from({ length: 400 }, (_, index) => ({
      kind: 'write' as const,
      x: 0,
      y: index % 7,
      text: `\x1b[38;2;${(colour + index) >> 8};${(colour + index) & 255};0mcolour\x1b[39m`,
      transforms: [],
    }));
    expectSame(operations);
  }
});
