import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentedJson } from '../../source/view/indented-json.ts';

test('is what JSON itself makes of any value, so that nothing but space is changed', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const shown = indentedJson(text);
      expect(shown).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
});

test('keeps what reading would lose: digits, fields that stand twice, braces within texts', () => {
  const text = '{"id":12345678901234567890.10,"id":1,"text":"{ } [ ] , : \\" x"}';
  expect(indentedJson(text)).toBe(
    '{\n  "id": 12345678901234567890.10,\n  "id": 1,\n  "text": "{ } [ ] , : \\" x"\n}',
  );
});

test('of any text no character but space is lost, however deep it is', () => {
  const unit = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', 'a', '1');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 80 }), (text) => {
      const bare = (of: string) => of.replaceAll(/\s/g, '');
      expect(bare(indentedJson(text))).toBe(bare(text));
    }),
  );
  expect(indentedJson('['.repeat(2000)).length).toBeLessThan(250_000);
});
