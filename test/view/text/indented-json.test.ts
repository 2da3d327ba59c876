import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueIn } from '../../../source/view/text/detail-rows.ts';
import { indentedJson } from '../../../source/view/text/indented-json.ts';

test('indents any value as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const shown = indentedJson(text);
      expect(shown).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
});

test('keeps digits, duplicate fields and braces in strings, which parsing would lose', () => {
  const text = '{"id":12345678901234567890.10,"id":1,"text":"{ } [ ] , : \\" x"}';
  expect(indentedJson(text)).toBe(
    '{\n  "id": 12345678901234567890.10,\n  "id": 1,\n  "text": "{ } [ ] , : \\" x"\n}',
  );
});

test('loses no character but white space of any text', () => {
  const unit = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', 'a', '1');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 80 }), (text) => {
      const bare = (of: string) => of.replaceAll(/\s/g, '');
      expect(bare(indentedJson(text))).toBe(bare(text));
    }),
  );
  expect(indentedJson('['.repeat(2000)).length).toBeLessThan(250_000);
});

test('handles a string of many megabytes', () => {
  const long = 'x\\n'.repeat(8_000_000);
  const shown = indentedJson(`["${long}","a"]`).split('\n');
  expect(shown.map(({ length }) => length)).toEqual([1, long.length + 5, 5, 1]);
  expect(valueIn(shown[1] ?? '')).toHaveLength(16_000_000);
});

test('finds the value in each line of indented JSON', () => {
  const values = fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), values, (record, list) => {
      const own = Object.values(record);
      const lines = (of: unknown) => JSON.stringify(of, null, 2).split('\n').slice(1, -1);
      expect(lines(record).map(valueIn)).toEqual(own);
      expect(lines(list).map(valueIn)).toEqual(list.map(String));
    }),
  );
});
