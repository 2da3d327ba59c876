import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffTexts, type Hunk } from '../../source/editor/diff.ts';
import { mergeTexts } from '../../source/editor/merge.ts';
import { splitLines } from '../../source/editor/text-lines.ts';
import { anyChanges, anyText } from './any-lines.ts';

function merged(base: string, mine: string, theirs: string): string | undefined {
  const merge = mergeTexts({ base, mine, theirs });
  return merge.kind === 'clean' ? merge.text : undefined;
}

/** The times each line was added, less the times it was removed. */
function balance(from: string, to: string, sign = 1, counts = new Map<string, number>()) {
  const count = (text: string, by: number) => {
    for (const line of splitLines(text)) counts.set(line, (counts.get(line) ?? 0) + by);
  };
  count(to, sign);
  count(from, -sign);
  return counts;
}

const isSame = (left: Hunk, right: Hunk) =>
  left.beforeFrom === right.beforeFrom && left.beforeTo === right.beforeTo;

describe('a merge', () => {
  it('takes the only changed side', () => {
    fc.assert(
      fc.property(anyText, anyText, (base, changed) => {
        expect(merged(base, changed, base)).toBe(changed);
        expect(merged(base, base, changed)).toBe(changed);
        expect(merged(base, changed, changed)).toBe(changed);
      }),
    );
  });

  it('is symmetric', () => {
    fc.assert(
      fc.property(anyChanges, ({ base, mine, theirs }) => {
        expect(merged(base, mine, theirs)).toBe(merged(base, theirs, mine));
      }),
    );
  });

  it('contains exactly the changes of both sides when clean', () => {
    fc.assert(
      fc.property(anyChanges, ({ base, mine, theirs }) => {
        const merge = mergeTexts({ base, mine, theirs });
        fc.pre(merge.kind === 'clean');
        expect(merge.myHunks).toEqual(diffTexts(base, mine));
        expect(merge.theirHunks).toEqual(diffTexts(base, theirs));
        const left = balance(base, mine);
        balance(base, theirs, 1, left);
        balance(base, merge.text, -1, left);
        // A change made by both sides is in the result once.
        for (const hunk of merge.myHunks.filter((my) =>
          merge.theirHunks.some((other) => isSame(my, other)),
        )) {
          const part = (text: string, from: number, to: number) =>
            splitLines(text).slice(from, to).join('');
          const removed = part(base, hunk.beforeFrom, hunk.beforeTo);
          balance(removed, part(mine, hunk.afterFrom, hunk.afterTo), -1, left);
        }
        expect([...left].filter(([, count]) => count !== 0)).toEqual([]);
      }),
    );
  });

  it('applies changes that an unchanged line separates', () => {
    const change = fc.constantFrom(
      'none',
      'mine',
      'theirs',
      'both',
      'my insertion',
      'their removal',
    );
    const end = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(change, end), { maxLength: 10 }), (places) => {
        const texts = { base: '', mine: '', theirs: '', merged: '' };
        const add = (part: string, ...to: readonly (keyof typeof texts)[]) => {
          for (const key of to) texts[key] += part;
        };
        for (const [index, [kind, newline]] of places.entries()) {
          const line = `line ${index}${newline}`;
          const other = `other ${index}${newline}`;
          if (kind === 'none') add(line, 'base', 'mine', 'theirs', 'merged');
          if (kind === 'mine') add(line, 'base', 'theirs');
          if (kind === 'mine') add(other, 'mine', 'merged');
          if (kind === 'theirs') add(line, 'base', 'mine');
          if (kind === 'theirs') add(other, 'theirs', 'merged');
          if (kind === 'both') add(line, 'base');
          if (kind === 'both') add(other, 'mine', 'theirs', 'merged');
          if (kind === 'my insertion') add(other, 'mine', 'merged');
          if (kind === 'their removal') add(line, 'base', 'mine');
          add(`after ${index}${newline}`, 'base', 'mine', 'theirs', 'merged');
        }
        expect(merged(texts.base, texts.mine, texts.theirs)).toBe(texts.merged);
      }),
    );
  });

  it.each([
    ['the same line', 'a\nb\nc\n', 'a\nx\nc\n', 'a\ny\nc\n'],
    ['neighbouring lines', 'a\nb\nc\n', 'x\nb\nc\n', 'a\ny\nc\n'],
    ['one place with lines for it', 'a\n', 'a\nx\n', 'a\ny\n'],
    ['a line whose line end the other changes', 'a\nb\n', 'a\nx\n', 'a\nb'],
    ['two new files', '', 'a\n', 'b\n'],
  ])('conflicts on changes to %s', (_, base, mine, theirs) => {
    expect(mergeTexts({ base, mine, theirs })).toMatchObject({ kind: 'touching', touches: 1 });
  });

  it('preserves line ends and the byte order mark', () => {
    const base = '\u{feff}a\r\nb\r\nc\nd\re';
    expect(merged(base, base.replace('a', 'A'), base.replace('d\re', 'd\rE'))).toBe(
      '\u{feff}A\r\nb\r\nc\nd\rE',
    );
  });
});
