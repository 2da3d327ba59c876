import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellWidth } from '../../../source/terminal/screen/cells.ts';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';
import { fieldWindow } from '../../../source/view/text/field-window.ts';
import { editLine, insertText } from '../../../source/view/text/line-editor.ts';

test('a line that fits is seen whole', () => {
  expect(fieldWindow({ text: 'abc', caret: 1 }, 4)).toEqual({ before: 'a', on: 'b', after: 'c' });
  expect(fieldWindow({ text: 'abc', caret: 3 }, 4)).toEqual({ before: 'abc', on: '', after: '' });
});

test('of a longer line its end is seen behind which one types, or what is around the caret', () => {
  const text = 'abcdefghijklmnop';
  expect(fieldWindow({ text, caret: 16 }, 8)).toEqual({ before: 'jklmnop', on: '', after: '' });
  expect(fieldWindow({ text, caret: 0 }, 8)).toEqual({ before: '', on: 'a', after: 'bcdefgh' });
  expect(fieldWindow({ text, caret: 8 }, 8)).toEqual({ before: 'efgh', on: 'i', after: 'jkl' });
});

test('any line around any caret fits, with the caret in sight and no room wasted', () => {
  const typed = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(typed, fc.nat(20), fc.integer({ min: 12, max: 30 }), (text, lefts, width) => {
      let line = insertText({ text: '', caret: 0 }, text);
      for (let left = 0; left < lefts; left++) line = editLine(line, { name: 'left' }) ?? line;
      const { before, on, after } = fieldWindow(line, width);
      const [head, tail] = [line.text.slice(0, line.caret), line.text.slice(line.caret)].map(
        (part) => sanitize(part),
      );
      expect(head?.endsWith(before)).toBe(true);
      expect(tail?.startsWith(on + after)).toBe(true);
      expect(cellWidth(before)).toBeLessThan(width);
      expect(cellWidth(before + on + after)).toBeLessThanOrEqual(width);
      if (tail !== '') expect(on).not.toBe('');
      if (cellWidth(`${head}${tail}`) < width) expect(before + on + after).toBe(`${head}${tail}`);
    }),
  );
});
