import { expect, test } from 'vitest';
import { judgeCounts } from './host-volumes.ts';

test.each([
  [[], []],
  [['counted 1', 'tree x', 'counted 2', 'counted 5'], []],
  [['counted 1', 'counted 2', 'counted 1'], ['a volume went from run 2 back to run 1']],
  [['counted 3', 'counted 3'], ['a volume went from run 3 back to run 3']],
  [['counted NaN'], ['a volume went from run 0 back to run NaN']],
])('the lines %j of a service with a volume break %j', (lines, broken) => {
  expect(judgeCounts(lines)).toEqual(broken);
});
