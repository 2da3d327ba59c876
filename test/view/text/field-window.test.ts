import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellWidth } from '../../../source/terminal/screen/cells.ts';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';
import { fieldWindow } from '../../../source/view/text/field-window.ts';
import { editLine, insertText } from '../../../source/view/text/line-editor.ts';
import { codePoint } from '../../support/code-point.ts';

test('a line that fits is shown whole', () => {
  expect(fieldWindow({ text: 'abc', caret: 1 }, 4)).toEqual({
    before: 'a',
    atCaret: 'b',
    after: 'c',
  });
  expect(fieldWindow({ text: 'abc', caret: 3 }, 4)).toEqual({
    before: 'abc',
    atCaret: '',
    after: '',
  });
});

test('a longer line is shown at its end or around the caret', () => {
  const text = 'abcdefghijklmnop';
  expect(fieldWindow({ text, caret: 16 }, 8)).toEqual({
    before: 'jklmnop',
    atCaret: '',
    after: '',
  });
  expect(fieldWindow({ text, caret: 0 }, 8)).toEqual({
    before: '',
    atCaret: 'a',
    after: 'bcdefgh',
  });
  expect(fieldWindow({ text, caret: 8 }, 8)).toEqual({
    before: 'efgh',
    atCaret: 'i',
    after: 'jkl',
  });
});

test('any line with any caret fits, shows the caret and wastes no cells', () => {
  const typed = fc.oneof(fc.string({ unit: codePoint }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(typed, fc.nat(20), fc.integer({ min: 12, max: 30 }), (text, lefts, width) => {
      let line = insertText({ text: '', caret: 0 }, text);
      for (let left = 0; left < lefts; left++) line = editLine(line, { name: 'left' }) ?? line;
      const { before, atCaret, after } = fieldWindow(line, width);
      const [head, tail] = [line.text.slice(0, line.caret), line.text.slice(line.caret)].map(
        (part) => sanitize(part),
      );
      expect(head?.endsWith(before)).toBe(true);
      expect(tail?.startsWith(atCaret + after)).toBe(true);
      expect(cellWidth(before)).toBeLessThan(width);
      expect(cellWidth(before + atCaret + after)).toBeLessThanOrEqual(width);
      if (tail !== '') expect(atCaret).not.toBe('');
      if (cellWidth(`${head}${tail}`) < width)
        expect(before + atCaret + after).toBe(`${head}${tail}`);
    }),
  );
});
