import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  conditionKey,
  parseConditionKey,
} from '../../../source/store/alert-rules/condition-key.ts';

test('the key of a condition has its parts, whatever the id is', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('list', 'disk', 'grant', 'log'),
      fc.nat(),
      fc.string(),
      (source, rule, id) => {
        const key = { source, rule, id } as const;
        expect(parseConditionKey(conditionKey(key))).toEqual(key);
      },
    ),
  );
});
