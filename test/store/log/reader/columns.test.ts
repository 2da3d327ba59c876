import { describe, expect, it } from 'vitest';
import {
  mostColumns,
  offeredFields,
  withColumnToggled,
} from '../../../../source/store/log/reader/columns.ts';
import { DroppingLog, lineWith } from '../dropping-log.ts';

function logOf(...lines: readonly string[]): DroppingLog {
  const log = new DroppingLog();
  log.entries = lines.map((line, index) => lineWith(index, line));
  return log;
}

describe('the fields that are offered as columns', () => {
  const log = logOf('{"a":1}', 'b=2 c=3', '{"c":4,"d":5}', 'c=6 late=7');

  it('begin with the chosen ones, and go on with the others, the commonest first', () => {
    expect(offeredFields(log, 4, ['late', 'gone'])).toEqual(['late', 'gone', 'c', 'a', 'b', 'd']);
  });

  it('are of the lines before the end, also where rows say what is missing', () => {
    const gapped = logOf('b=2 c=3', 'c=4');
    gapped.gap(1);
    expect(gapped.length).toBe(3);
    expect(offeredFields(gapped, 3, [])).toEqual(['c', 'b']);
    expect(offeredFields(log, 2, [])).toEqual(['a', 'b', 'c']);
  });

  it('are of the last 500 lines, and at most 60', () => {
    const many = Array.from({ length: 70 }, (_, index) => `k${index}=1`).join(' ');
    const long = logOf('early=1', ...Array.from({ length: 499 }, () => 'x'), many);
    expect(offeredFields(long, 501, [])).toHaveLength(60);
    expect(offeredFields(long, 500, [])).toEqual(['early']);
    expect(offeredFields(long, 501, [])).not.toContain('early');
  });
});

describe('a column that is chosen or not', () => {
  it('is added at the right, and removed', () => {
    expect(withColumnToggled(['a'], 'b')).toEqual(['a', 'b']);
    expect(withColumnToggled(['a', 'b'], 'a')).toEqual(['b']);
  });

  it('is not added to as many as a log may have', () => {
    const most = Array.from({ length: mostColumns }, (_, index) => `k${index}`);
    expect(withColumnToggled(most, 'one more')).toBe(most);
    expect(withColumnToggled(most.slice(1), 'one more')).toHaveLength(mostColumns);
  });
});
