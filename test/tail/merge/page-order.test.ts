import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { rowOrder } from '../../../source/tail/merge/page-order.ts';
import { toRow } from '../../../source/tail/arena/row.ts';

function orderOf(...lines: readonly Partial<LogLine>[]) {
  return rowOrder(lines.map((line) => toRow({ logLine: 'x', ...line })));
}

describe('the order of a page', () => {
  it('shows in its ids, also across 2^53', () => {
    expect(orderOf({ id: 1 }, { id: 5 })).toBe('ascending');
    expect(orderOf({ id: 2n ** 60n }, { id: 5 })).toBe('descending');
    expect(orderOf({ id: 5 })).toBeUndefined();
  });

  it('shows in its times, the majority of which decides', () => {
    const at = (second: number) => ({ timestamp: `2026-01-01T00:00:0${second}Z` });
    expect(orderOf(at(1), at(2), at(2), at(1), at(5))).toBe('ascending');
    expect(orderOf(at(5), at(2), at(3), at(1))).toBe('descending');
    expect(orderOf(at(1), at(1))).toBeUndefined();
    expect(orderOf({ timestamp: 'soon' }, { timestamp: 'later' })).toBeUndefined();
  });

  it('shows in times that the lines themselves begin with', () => {
    const line = (logLine: string) => ({ logLine });
    expect(orderOf(line('[2026-01-01 00:00:01,5] one'), line('2026-01-01T00:00:00Z two'))).toBe(
      'descending',
    );
    expect(orderOf(line('one'), line('two'))).toBeUndefined();
  });
});
