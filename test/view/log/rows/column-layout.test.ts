import { describe, expect, it } from 'vitest';
import { createColumnLayout } from '../../../../source/view/log/rows/column-layout.ts';
import type { Line } from '../../../../source/view/text/line.ts';

const textOf = (line: Line | undefined) => line?.map(({ text }) => text).join('');

describe('the columns of a line', () => {
  it('are the chosen fields, before the message or the text', () => {
    const layout = createColumnLayout(['status', 'req.ms']);
    const json = '{"level":"info","msg":"served","status":200,"req":{"ms":7}}';
    expect(textOf(layout.of(json, undefined))).toBe('status=200   req.ms=7     served');
    const pairs = 'status=404 path=/';
    expect(textOf(layout.of(pairs, undefined))).toBe(`status=404   req.ms=      ${pairs}`);
    expect(layout.of('GET / 200', undefined)).toBeUndefined();
  });

  it('grow with their values up to a limit, and tell that drawn rows are out of date', () => {
    const layout = createColumnLayout(['user']);
    layout.of('user=ann', undefined);
    const before = layout.version;
    expect(textOf(layout.of('user=elisabeth x', undefined))).toBe(
      'user=elisabeth  user=elisabeth x',
    );
    expect(layout.version).toBeGreaterThan(before);
    expect(textOf(layout.of('user=ann', undefined))).toBe('user=ann        user=ann');
    expect(textOf(layout.of(`user=${'x'.repeat(99)}`, undefined))?.indexOf('  ')).toBeLessThan(40);
  });

  it('show no control characters of a value', () => {
    const layout = createColumnLayout(['user']);
    const text = textOf(layout.of(JSON.stringify({ user: '\x1b[2J', msg: 'x' }), undefined));
    expect(text).not.toContain('\x1b');
  });
});
