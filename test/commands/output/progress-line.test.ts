import { describe, expect, it } from 'vitest';
import { createProgressLine } from '../../../source/commands/output/command-output.ts';

function lineOf(columns = 60) {
  const written: string[] = [];
  let time = 0;
  const line = createProgressLine({
    write: (text) => void written.push(text),
    columns: () => columns,
    now: () => time,
  });
  return {
    ...line,
    pass: (milliseconds: number) => void (time += milliseconds),
    /** Takes what was written since the last call. */
    taken: () => written.splice(0),
  };
}

describe('the progress of a transfer', () => {
  it('is shown at once for a large one, and with a rate after a second', () => {
    const line = lineOf();
    const report = line.begin('shop/web:a.iso', 96_000_000);
    report(1_000_000);
    expect(line.taken()).toEqual(['\rshop/web:a.iso  1.0 MB of 96.0 MB  1%\u001b[K']);
    line.pass(2000);
    report(24_000_000);
    expect(line.taken()).toEqual(['\rshop/web:a.iso  24.0 MB of 96.0 MB  25%  12.0 MB/s\u001b[K']);
  });

  it('is shown for a small one after a second, and changes ten times a second at most', () => {
    const line = lineOf();
    const report = line.begin('shop/web:a', 1000);
    report(100);
    line.pass(999);
    report(200);
    line.clear();
    expect(line.taken()).toEqual([]);
    line.pass(1);
    report(300);
    line.pass(99);
    report(400);
    expect(line.taken()).toEqual(['\rshop/web:a  300 B of 1.0 kB  30%  300 B/s\u001b[K']);
    line.pass(1);
    report(500);
    expect(line.taken()).toHaveLength(1);
  });

  it('has no share without a known size, and takes a size that is known later', () => {
    const line = lineOf();
    const report = line.begin('shop/web:a');
    report(1_500_000);
    expect(line.taken()).toEqual(['\rshop/web:a  1.5 MB\u001b[K']);
    line.pass(100);
    report(2_000_000, 2_000_000);
    expect(line.taken()).toEqual(['\rshop/web:a  2.0 MB of 2.0 MB  100%\u001b[K']);
  });

  it('is erased once', () => {
    const line = lineOf();
    line.begin('a', 9_000_000)(1);
    line.taken();
    line.clear();
    line.clear();
    expect(line.taken()).toEqual(['\r\u001b[K']);
  });

  it('fits the row, and shows names from outside harmlessly', () => {
    const line = lineOf(30);
    line.begin(`\u001b[2J${'漢'.repeat(40)}`, 9_000_000)(1_000_000);
    expect(line.taken()).toEqual(['\r^[[2J…  1.0 MB of 9.0 MB  11%\u001b[K']);
    const narrow = lineOf(10);
    narrow.begin('name', 9_000_000)(1_000_000);
    expect(narrow.taken()).toEqual(['\r1.0 MB o…\u001b[K']);
  });
});
