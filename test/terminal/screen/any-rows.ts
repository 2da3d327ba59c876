import * as fc from 'fast-check';
import { hole } from '../../../source/terminal/screen/cell-parser.ts';

/** Rows for the screen, and an event before they are drawn. */
export interface Frame {
  readonly rows: readonly string[];
  /** Rows for the holes of `rows`; undefined to leave the holes open. */
  readonly region: { readonly left: number; readonly rows: readonly string[] } | undefined;
  readonly budget: number | undefined;
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  /** Another program writes noise, the terminal is resized, or other code writes the rows. */
  readonly before: 'noise' | 'resize' | 'foreign' | undefined;
  /** Size of the terminal from this frame on. */
  readonly columns: number;
  readonly height: number;
}

const certainPieces = [
  'a',
  'GET',
  ' ',
  '   ',
  '          ',
  '200',
  '─',
  '│',
  'é',
  '中',
  '日本',
  '한글',
  'カ',
  'Ａ',
  '12:03:04 ',
];
const uncertainPieces = [
  '😀',
  '👍',
  '🇩🇪',
  '🫠',
  'e\u0301',
  'a\u1ab0',
  'x\u1ab0\u1ab1',
  'か\u3099',
  '●',
  'Ж',
  'שלום',
  'مرحبا',
  'ก\u0e4d',
  '×',
  '🀄',
  '™',
  'ｶﾞ',
  '\u{20000}',
];
const codes = [
  '1',
  '22',
  '2',
  '3',
  '23',
  '4',
  '24',
  '7',
  '27',
  '9',
  '29',
  '31',
  '97',
  '39',
  '38;5;208',
  '38;2;1;2;3',
  '48;5;4',
  '42',
  '49',
  '',
  '0',
  '1;33;44',
];

const coloured = fc.constantFrom(...codes).map((code) => `\x1b[${code}m`);

function line(pieces: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...pieces) },
    { weight: 2, arbitrary: coloured },
  );
  return fc.array(piece, { maxLength: 24 }).map((parts) => parts.join(''));
}

/** Lines mostly of characters of certain width. */
const lines: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: line(certainPieces) },
  { weight: 1, arbitrary: line([...certainPieces, ...uncertainPieces]) },
  { weight: 1, arbitrary: fc.constant('') },
);

const graphemes = new Intl.Segmenter();

type Change = (rows: string[], height: number) => void;

function changes(rows: number): fc.Arbitrary<Change> {
  const y = fc.nat(rows - 1);
  const replaced = fc.tuple(y, lines).map(
    ([at, text]): Change =>
      (picture) => {
        picture[at] = text;
      },
  );
  const scrolled = fc
    .tuple(
      y,
      y,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.array(lines, { minLength: 4, maxLength: 4 }),
    )
    .map(
      ([one, other, count, up, incoming]): Change =>
        (picture) => {
          const top = Math.min(one, other);
          const bottom = Math.max(one, other) + 1;
          const block = picture.slice(top, bottom);
          const fresh = incoming.slice(0, Math.min(count, block.length));
          const moved = up
            ? [...block.slice(fresh.length), ...fresh]
            : [...fresh, ...block.slice(0, block.length - fresh.length)];
          picture.splice(top, block.length, ...moved);
        },
    );
  const edited = fc.tuple(y, fc.nat(20), fc.constantFrom('x', '中', ' ', '\x1b[7mo\x1b[27m')).map(
    ([at, index, text]): Change =>
      (picture) => {
        const points = Array.from(graphemes.segment(picture[at] ?? ''), ({ segment }) => segment);
        // Lines with sequences stay unchanged, as half a sequence would be text.
        if (points.length > 0 && !points.includes('\x1b'))
          picture[at] = points.with(Math.min(index, points.length - 1), text).join('');
      },
  );
  return fc.oneof(replaced, scrolled, edited);
}

/** A rectangle of holes, partly covered by a box. */
interface Opening {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  readonly cover: number;
  readonly filled: boolean;
}

function pierced(rows: readonly string[], opening: Opening): string[] {
  const { left, right, top, bottom, cover } = opening;
  return rows.map((text, y) => {
    if (y < top || y > bottom) return text;
    const open = hole.repeat(right - left);
    const covered = y % 3 === 0 ? `${open.slice(0, cover)}│box│${open.slice(cover + 5)}` : open;
    return `${`${y} shop \x1b[32mrunning\x1b[39m`.padEnd(left + 10, '─')}${covered}│`;
  });
}

/** A series of frames, most of them similar to the one before. */
export function frames(columns: number, height: number, count: number): fc.Arbitrary<Frame[]> {
  const y = fc.nat(height - 1);
  const x = fc.nat(columns - 1);
  const chance = (of: number): fc.Arbitrary<boolean> =>
    fc.integer({ min: 1, max: of }).map((value) => value === 1);
  const opening = fc.record({
    top: y,
    bottom: y,
    left: fc.integer({ min: 15, max: 25 }),
    right: fc.integer({ min: 25, max: columns }),
    cover: fc.nat(12),
    filled: fc.boolean(),
  });
  const step = fc.record({
    changes: fc.array(changes(height), { maxLength: 4 }),
    innerChanges: fc.array(changes(height), { maxLength: 2 }),
    opening: fc.option(opening, { nil: undefined, freq: 3 }),
    keepOpening: chance(2),
    budget: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined, freq: 2 }),
    cursor: fc.record({ x, y, visible: fc.boolean() }),
    noise: chance(30),
    foreign: chance(30),
    resized: chance(25),
    size: fc.record({
      columns: fc.integer({ min: columns >> 1, max: columns }),
      height: fc.integer({ min: height >> 1, max: height }),
    }),
  });
  const picture = fc.array(lines, { minLength: height, maxLength: height });
  const steps = fc.array(step, { minLength: count, maxLength: count });
  return fc.tuple(picture, picture, steps).map(([firstOuter, firstInner, all]) => {
    let outer = firstOuter;
    let inner = firstInner;
    let open: Opening | undefined;
    let size = { columns, height };
    return all.map((one): Frame => {
      outer = [...outer];
      inner = [...inner];
      for (const change of one.changes) change(outer, height);
      for (const change of one.innerChanges) change(inner, height);
      if (!one.keepOpening) open = one.opening;
      if (one.resized) size = one.size;
      const { noise, foreign, resized, budget } = one;
      return {
        rows: (open === undefined ? outer : pierced(outer, open)).slice(0, size.height),
        region: open?.filled === true ? { left: open.left, rows: inner } : undefined,
        budget,
        cursor: {
          x: Math.min(one.cursor.x, size.columns - 1),
          y: Math.min(one.cursor.y, size.height - 1),
          visible: one.cursor.visible,
        },
        before: resized ? 'resize' : noise ? 'noise' : foreign ? 'foreign' : undefined,
        ...size,
      };
    });
  });
}
