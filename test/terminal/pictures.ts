import * as fc from 'fast-check';

/** A change of the picture on the screen, or of what is asked of it. */
export interface Frame {
  readonly rows: readonly string[];
  readonly budget: number | undefined;
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  /** What is known of the screen is forgotten before it, as when something else wrote. */
  readonly forgotten: boolean;
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

/** Most of them of of them of characters of whose width all terminals are sure. */
const lines: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: line(certainPieces) },
  { weight: 1, arbitrary: line([...certainPieces, ...uncertainPieces]) },
  { weight: 1, arbitrary: fc.constant('') },
);

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
        const points = Array.from(picture[at] ?? '');
        // Between sequences only: half of one would be text.
        if (points.length > 0 && !points.includes('\x1b'))
          picture[at] = points.with(Math.min(index, points.length - 1), text).join('');
      },
  );
  return fc.oneof(replaced, scrolled, edited);
}

/** A sequence of pictures of `rows` rows, most of them much like the one before. */
export function frames(columns: number, rows: number, count: number): fc.Arbitrary<Frame[]> {
  const step = fc.record({
    changes: fc.array(changes(rows), { maxLength: 4 }),
    budget: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
    cursor: fc.record({
      x: fc.nat(columns - 1),
      y: fc.nat(rows - 1),
      visible: fc.boolean(),
    }),
    forgotten: fc.integer({ min: 0, max: 30 }).map((chance) => chance === 0),
  });
  return fc
    .tuple(
      fc.array(lines, { minLength: rows, maxLength: rows }),
      fc.array(step, { minLength: count, maxLength: count }),
    )
    .map(([first, steps]) => {
      let picture = first;
      return steps.map(({ changes: made, ...rest }) => {
        picture = [...picture];
        for (const change of made) change(picture, rows);
        return { rows: picture, ...rest };
      });
    });
}
