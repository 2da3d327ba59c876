import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countChangedLines, diffTexts, type Hunk } from '../../source/editor/diff.ts';
import { lineEndOf, splitLines } from '../../source/editor/text-lines.ts';
import { anyText } from './any-lines.ts';

/** `after`, rebuilt from `before` and the lines of the hunks. */
function applied(before: string, after: string, hunks: readonly Hunk[]): string {
  const [from, to] = [splitLines(before), splitLines(after)];
  let result = '';
  let next = 0;
  for (const hunk of hunks) {
    result += from.slice(next, hunk.beforeFrom).join('');
    result += to.slice(hunk.afterFrom, hunk.afterTo).join('');
    next = hunk.beforeTo;
  }
  return result + from.slice(next).join('');
}

function numbered(count: number, word: string): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index}\n`);
}

describe('lines', () => {
  it('join to the original text, each with one line end', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = splitLines(text);
        expect(lines.join('')).toBe(text);
        for (const line of lines.slice(0, -1)) expect(lineEndOf(line)).not.toBe('');
        for (const line of lines) {
          expect(line.slice(0, line.length - lineEndOf(line).length)).not.toMatch(/[\r\n]/);
        }
      }),
    );
  });

  it('are absent in an empty text and after the last line end', () => {
    expect(splitLines('')).toEqual([]);
    expect(splitLines('a\n\r\n')).toEqual(['a\n', '\r\n']);
    expect(splitLines('\n\r\rb')).toEqual(['\n', '\r', '\r', 'b']);
  });
});

describe('the difference of two texts', () => {
  it('turns the first into the second, with an equal line between hunks', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const hunks = diffTexts(before, after);
        expect(applied(before, after, hunks)).toBe(after);
        expect(hunks.length === 0).toBe(before === after);
        for (const [index, hunk] of hunks.entries()) {
          expect(hunk.beforeTo - hunk.beforeFrom + hunk.afterTo - hunk.afterFrom).toBeGreaterThan(
            0,
          );
          const next = hunks[index + 1];
          if (next === undefined) continue;
          expect(next.beforeFrom).toBeGreaterThan(hunk.beforeTo);
          expect(next.beforeFrom - hunk.beforeTo).toBe(next.afterFrom - hunk.afterTo);
        }
      }),
    );
  });

  it('counts lines', () => {
    const hunks = diffTexts('a\nb\nc\nd\n', 'a\nx\ny\nc\nd\ne\n');
    expect(hunks).toEqual([
      { beforeFrom: 1, beforeTo: 2, afterFrom: 1, afterTo: 3 },
      { beforeFrom: 4, beforeTo: 4, afterFrom: 5, afterTo: 6 },
    ]);
    expect(countChangedLines(hunks)).toEqual({ added: 3, removed: 1 });
  });

  it('detects a missing or different line end', () => {
    expect(countChangedLines(diffTexts('a\nb\n', 'a\nb'))).toEqual({ added: 1, removed: 1 });
    expect(countChangedLines(diffTexts('a\nb\n', 'a\r\nb\r\n'))).toEqual({ added: 2, removed: 2 });
    expect(countChangedLines(diffTexts('', '\n'))).toEqual({ added: 1, removed: 0 });
  });

  it('finds few changes among more lines than there are characters', () => {
    const before = numbered(90_000, 'line');
    const after = before.toSpliced(70_000, 0, 'added\n').toSpliced(10, 2, 'changed\n');
    after[45_000] = 'also changed\n';
    expect(countChangedLines(diffTexts(before.join(''), after.join('')))).toEqual({
      added: 3,
      removed: 3,
    });
  });

  it.each([
    ['nothing alike', numbered(200_000, 'one'), numbered(200_000, 'two')],
    [
      'the same few lines',
      Array(300_000).fill('a\n').with(150_000, 'b\n').with(0, 'x\n'),
      Array(400_000).fill('a\n').with(0, 'c\n').with(399_999, 'd\n'),
    ],
    ['the lines in another order', numbered(100_000, 'line'), numbered(100_000, 'line').reverse()],
    [
      'alternating lines',
      numbered(60_000, 'x').map((line, index) => (index % 2 ? 'a\n' : line)),
      numbered(60_000, 'y').map((line, index) => (index % 2 ? 'a\n' : line)),
    ],
  ])('finishes for large texts with %s', (_, before: string[], after: string[]) => {
    const [left, right] = [before.join(''), after.join('')];
    expect(applied(left, right, diffTexts(left, right)) === right).toBe(true);
  });
});
