import { expect, test } from 'vitest';
import type { SeenPattern } from '../../../../source/store/log/patterns/log-patterns.ts';
import { PatternList } from '../../../../source/store/log/patterns/pattern-list.ts';
import {
  firstPatternOrder,
  nextPatternOrder,
  sortPatterns,
} from '../../../../source/store/log/patterns/pattern-order.ts';

let lastId = 0;
function pattern(template: string, more: Partial<SeenPattern> = {}): SeenPattern {
  lastId += 1;
  return {
    id: lastId,
    template,
    level: undefined,
    lines: 1,
    isEstimate: false,
    perMinute: 1,
    firstAt: 0,
    lastAt: 0,
    services: [],
    example: template,
    isNew: false,
    ...more,
  };
}

const names = (patterns: readonly SeenPattern[]) => patterns.map(({ template }) => template);

const all = [
  pattern('busy', { perMinute: 90, lines: 500, lastAt: 5 }),
  pattern('warning', { level: 'warn', perMinute: 7, firstAt: 2 }),
  pattern('old error', { level: 'error', perMinute: 3, lines: 40 }),
  pattern('new line', { isNew: true, firstAt: 9 }),
  pattern('new error', { level: 'error', isNew: true, lastAt: 8 }),
];

test('errors come first, new ones before known ones, and what is new before the rest', () => {
  expect(names(sortPatterns(all, firstPatternOrder))).toEqual([
    'new error',
    'old error',
    'warning',
    'new line',
    'busy',
  ]);
});

test('each order has another first pattern, and can be reversed', () => {
  const firsts: (string | undefined)[] = [];
  let order = nextPatternOrder(firstPatternOrder);
  for (; order.by !== 'attention'; order = nextPatternOrder(order)) {
    const sorted = sortPatterns(all, order);
    firsts.push(sorted[0]?.template);
    const reversed = sortPatterns(all, { ...order, isReversed: true });
    expect(reversed).toEqual(sorted.toReversed());
  }
  expect(firsts).toEqual(['busy', 'busy', 'new error', 'new line']);
});

test('rows keep their places until they are sorted again, and new ones come last', () => {
  let seen = all;
  const list = new PatternList({ seen: () => seen });
  list.sort();
  const sorted = names(list.rows());
  const late = pattern('late error', { level: 'error', isNew: true, perMinute: 900 });
  seen = [late, ...all.filter(({ template }) => template !== 'warning')];
  expect(names(list.rows())).toEqual([
    ...sorted.filter((name) => name !== 'warning'),
    'late error',
  ]);
  list.sort();
  expect(names(list.rows())[0]).toBe('late error');
});
