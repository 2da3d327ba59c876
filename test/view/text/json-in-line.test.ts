import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonInLine } from '../../../source/view/text/json-in-line.ts';

describe('JSON in a line', () => {
  it('is the line or its end, unchanged', () => {
    const found = jsonInLine('12:01 [web] took 3 {"a":1.0,"b":[]} ');
    expect(found).toEqual({
      kind: 'json',
      text: '{"a":1.0,"b":[]}',
      indented: '{\n  "a": 1.0,\n  "b": []\n}',
    });
  });

  it('is found after text without brackets', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\w :=]{0,20}$/),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (words, value) => {
          const text = JSON.stringify(value);
          expect(jsonInLine(words + text)).toMatchObject({ kind: 'json', text });
        },
      ),
    );
  });

  it('is absent in plain lines, invalid JSON and lists of numbers', () => {
    for (const line of ['', 'plain', 'took [3]', '{"a":', '{"a":1} done', 'x}', '[[[{]']) {
      expect(jsonInLine(line).kind).toBe('none');
    }
  });

  it('is not searched in long lines or behind many brackets', () => {
    expect(jsonInLine(`{"a":"${'x'.repeat(100_000)}"}`).kind).toBe('too-long');
    expect(jsonInLine('x'.repeat(1_000_000)).kind).toBe('none');
    expect(jsonInLine(`${'{'.repeat(60_000)}}`).kind).toBe('none');
    expect(jsonInLine(`${'['.repeat(30_000)}{}${']'.repeat(30_000)}`).kind).not.toBe('too-long');
  });
});
