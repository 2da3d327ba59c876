import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fieldText, finding, otherField } from '../../../source/store/prompts/find.ts';

const before = { anchor: 2, head: 5 };

it('starts with the selected text, the caret at its end and the selection to restore', () => {
  expect(finding('port', before)).toEqual({
    kind: 'find',
    field: 'find',
    query: { text: 'port', regex: false, matchCase: false },
    replacement: '',
    caret: 4,
    invalid: false,
    before,
  });
});

it('switches fields, each with its own text and the caret at its end', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(20), (text, replacement, caret) => {
      const box = { ...finding(text, before), replacement, caret };
      const other = otherField(box);
      expect([other.field, fieldText(other)]).toEqual(['replace', replacement]);
      expect(other.caret).toBe(replacement.length);
      expect(otherField(other)).toEqual({ ...box, caret: text.length });
    }),
  );
});
