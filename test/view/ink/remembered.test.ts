import { describe, expect, test } from 'vitest';
import { rememberTexts } from '../../../source/view/ink/remembered.ts';

describe('remembered texts', () => {
  test('have the results of the function, of which two screens of rows are computed once', () => {
    const computed: string[] = [];
    const lengthOf = rememberTexts((text) => {
      computed.push(text);
      return text.length;
    });
    const rows = Array.from({ length: 2 * 50 }, (_, index) => 'x'.repeat(index));
    for (let frame = 0; frame < 3; frame += 1) {
      expect(rows.map(lengthOf)).toEqual(rows.map((row) => row.length));
    }
    expect(computed).toEqual(rows);
  });

  test('are forgotten after thousands of others, and computed again', () => {
    let computed = 0;
    const upperCase = rememberTexts((text) => {
      computed += 1;
      return text.toUpperCase();
    });
    const rows = Array.from({ length: 10_000 }, (_, index) => `row ${index}`);
    expect([...rows, 'row 0'].map(upperCase).at(-1)).toBe('ROW 0');
    expect(computed).toBe(10_001);
  });
});
