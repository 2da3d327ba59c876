import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addQuery } from '../../../source/store/log/line-queries.ts';
import type { LineQuery } from '../../../source/tail/query/log-query.ts';

const query = fc.record({ text: fc.constantFrom('a', 'b', 'c'), regex: fc.boolean() });

test('a new query comes last without its earlier copy, and the others keep their order', () => {
  fc.assert(
    fc.property(fc.array(query, { maxLength: 20 }), (entered) => {
      const stored = entered.reduce<readonly LineQuery[]>(addQuery, []);
      expect(stored.at(-1)).toEqual(entered.at(-1));
      const keys = stored.map(({ text, regex }) => `${text}${regex}`);
      expect(new Set(keys).size).toBe(keys.length);
      const last = (key: string) =>
        entered.findLastIndex(({ text, regex }) => `${text}${regex}` === key);
      expect(keys.map(last)).toEqual(keys.map(last).toSorted((a, b) => a - b));
    }),
  );
});

test('at most a hundred queries are stored', () => {
  let queries: readonly LineQuery[] = [];
  for (let count = 0; count < 150; count += 1) {
    queries = addQuery(queries, { text: `${count}`, regex: false });
  }
  expect(queries).toHaveLength(100);
  expect(queries[0]?.text).toBe('50');
});
