import { expect, it } from 'vitest';
import { csvRecords } from './corpus.ts';

it('fields of a table have quotes, commas and line breaks where they are quoted', () => {
  expect(csvRecords('a,b\r\n1,"x, ""y"""\n2,"two\nlines"\n,\n')).toEqual([
    ['a', 'b'],
    ['1', 'x, "y"'],
    ['2', 'two\nlines'],
    ['', ''],
  ]);
});
