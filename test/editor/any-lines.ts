import * as fc from 'fast-check';
import { splitLines } from '../../source/editor/text-lines.ts';

/** A small set of lines with every line end or none, so that they repeat and nearly repeat. */
const anyLine = fc
  .tuple(
    fc.constantFrom('', 'a', 'b', 'ab', '\u{1f600}', 'a\u{feff}'),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([text, end]) => text + end);

/** Short texts of such lines, with or without a byte order mark and a last line end. */
export const anyText = fc
  .tuple(
    fc.constantFrom('', '', '\u{feff}'),
    fc.array(anyLine, { maxLength: 12 }),
    fc.constantFrom('', '', 'a', 'b'),
  )
  .map(([mark, lines, last]) => mark + lines.join('') + last);

const anyEdit = fc.record({
  at: fc.nat(12),
  removed: fc.nat(2),
  added: fc.array(anyLine, { maxLength: 2 }),
});

function edited(
  base: string,
  edits: readonly (typeof anyEdit extends fc.Arbitrary<infer Edit> ? Edit : never)[],
): string {
  let lines = splitLines(base);
  for (const { at, removed, added } of edits) lines = lines.toSpliced(at, removed, ...added);
  return lines.join('');
}

/** A text and two changes of it, each in one to three places. */
export const anyChanges = fc
  .tuple(anyText, fc.array(anyEdit, { maxLength: 3 }), fc.array(anyEdit, { maxLength: 3 }))
  .map(([base, mine, theirs]) => ({
    base,
    mine: edited(base, mine),
    theirs: edited(base, theirs),
  }));
