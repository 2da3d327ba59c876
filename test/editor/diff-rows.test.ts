import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTexts, type DiffLine } from '../../source/editor/diff-rows.ts';
import { splitLines } from '../../source/editor/text-lines.ts';
import { anyText } from './any-lines.ts';

const unifiedRows = (before: string, after: string) => compareTexts(before, after).unified().rows;
const sideBySideRows = (before: string, after: string) =>
  compareTexts(before, after).sideBySide().rows;

/** Rows as `diff -u` writes them. */
function formatRows(before: string, after: string): readonly string[] {
  return unifiedRows(before, after).map((row) => {
    if (row.kind === 'skipped') return `@${row.count}`;
    const sign = { same: ' ', removed: '-', added: '+' }[row.kind];
    const end = row.kind === 'same' || row.end === undefined ? '' : ` (${row.end})`;
    return `${sign}${row.text}${end}`;
  });
}

const textOf = (line: string) => line.replace(/\r\n$|[\r\n]$/, '');

describe('the rows of a comparison', () => {
  it('are empty for equal texts', () => {
    expect(unifiedRows('a\n', 'a\n')).toEqual([]);
    expect(sideBySideRows('a\n', 'a\n')).toEqual([]);
  });

  it('show three lines around a change and count the skipped ones', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
    const after = lines.with(9, 'ten\n').join('');
    const rows = ['@6', ' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13', '@7'];
    expect(formatRows(lines.join(''), after)).toEqual(rows);
  });

  it('show three lines around changes at the start and end too', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`).join('');
    expect(formatRows(lines, `0\n${lines}21\n`)).toEqual([
      '+0',
      ' 1',
      ' 2',
      ' 3',
      '@14',
      ' 18',
      ' 19',
      ' 20',
      '+21',
    ]);
  });

  it('show equal lines only within three lines of a change', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`);
    const places = fc.uniqueArray(fc.nat(29), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(places, fc.boolean(), (changed, removed) => {
        const after = lines.flatMap((line, index) =>
          changed.includes(index) ? (removed ? [] : [`new ${line}`]) : [line],
        );
        const shown = formatRows(lines.join(''), after.join('')).filter((row) =>
          row.startsWith(' '),
        );
        const near = lines.map((_, index) => index).filter((index) => !changed.includes(index));
        const isNear = (index: number) => changed.some((place) => Math.abs(place - index) <= 3);
        for (const index of near.filter(isNear)) expect(shown).toContain(` ${index}`);
        // A single line is shown where it would otherwise be skipped alone.
        const others = near.filter((index) => !isNear(index) && shown.includes(` ${index}`));
        for (const index of others) {
          expect([isNear(index - 1) || index === 0, isNear(index + 1) || index === 29]).toEqual([
            true,
            true,
          ]);
        }
      }),
    );
  });

  it('never skip a single line', () => {
    expect(formatRows('1\n2\n3\n4\n5\n', '1\n2\n3\n4\nx\n')).toEqual([
      ' 1',
      ' 2',
      ' 3',
      ' 4',
      '-5',
      '+x',
    ]);
  });

  it('name a changed line end', () => {
    expect(formatRows('a\nb\n', 'a\nb')).toEqual([' a', '-b (LF)', '+b (no line end)']);
    expect(formatRows('a\n', 'a\r\n')).toEqual(['-a (LF)', '+a (CRLF)']);
    expect(formatRows('a\r', 'a\n')).toEqual(['-a (CR)', '+a (LF)']);
    expect(formatRows('a\n', 'a\nb')).toEqual([' a', '+b (no line end)']);
    expect(formatRows('a', 'b')).toEqual(['-a', '+b']);
  });

  it('mark the characters that differ', () => {
    expect(unifiedRows('timeout: 2s\n', 'timeout: 30s\n')).toEqual([
      {
        kind: 'removed',
        beforeLine: 1,
        text: 'timeout: 2s',
        changed: [{ from: 9, to: 11 }],
        end: undefined,
      },
      {
        kind: 'added',
        afterLine: 1,
        text: 'timeout: 30s',
        changed: [{ from: 9, to: 12 }],
        end: undefined,
      },
    ]);
  });

  it('contain every line of both texts once, in order and numbered', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const sides = { before: splitLines(before), after: splitLines(after) };
        let [beforeNext, afterNext] = [0, 0];
        const check = (line: DiffLine) => {
          if (line.kind !== 'added') {
            expect(line.beforeLine).toBe(beforeNext + 1);
            expect(line.text).toBe(textOf(sides.before[beforeNext++] ?? '?'));
          }
          if (line.kind !== 'removed') {
            expect(line.afterLine).toBe(afterNext + 1);
            expect(line.text).toBe(textOf(sides.after[afterNext++] ?? '?'));
          }
          for (const { from, to } of line.kind === 'same' ? [] : line.changed) {
            expect(0 <= from && from < to && to <= line.text.length).toBe(true);
          }
        };
        const rows = unifiedRows(before, after);
        for (const row of rows) {
          if (row.kind !== 'skipped') {
            check(row);
            continue;
          }
          expect(row.count).toBeGreaterThan(1);
          const skipped = sides.before.slice(beforeNext, beforeNext + row.count);
          expect(skipped).toEqual(sides.after.slice(afterNext, afterNext + row.count));
          beforeNext += row.count;
          afterNext += row.count;
        }
        if (before !== after) {
          expect([beforeNext, afterNext]).toEqual([sides.before.length, sides.after.length]);
        }
      }),
    );
  });

  it('contain the same lines side by side as unified', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const unified = unifiedRows(before, after);
        const beside = sideBySideRows(before, after);
        const all = (side: 'before' | 'after') =>
          beside.flatMap((row) => (row.kind === 'skipped' ? row : (row[side] ?? [])));
        expect(all('before')).toEqual(unified.filter(({ kind }) => kind !== 'added'));
        expect(all('after')).toEqual(unified.filter(({ kind }) => kind !== 'removed'));
      }),
    );
  });

  it('exist for large texts without equal lines too', () => {
    const lines = (word: string) =>
      Array.from({ length: 50_000 }, (_, n) => `${word} ${n}\n`).join('');
    const rows = unifiedRows(lines('one'), lines('two'));
    expect(rows).toHaveLength(100_000);
    expect(rows.at(-1)).toMatchObject({ kind: 'added', afterLine: 50_000, changed: [] });
  });

  it('start their changes at the same lines in both layouts', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const comparison = compareTexts(before, after);
        const unified = comparison.unified();
        const beside = comparison.sideBySide();
        const isSame = (row: (typeof unified.rows)[number] | undefined) =>
          row === undefined || row.kind === 'same' || row.kind === 'skipped';
        expect(unified.changes).toHaveLength(comparison.changeCount);
        expect(beside.changes).toHaveLength(comparison.changeCount);
        // A change starts exactly where an unchanged row ends.
        const starts = unified.rows.flatMap((row, index) =>
          !isSame(row) && isSame(unified.rows[index - 1]) ? [index] : [],
        );
        expect(unified.changes).toEqual(starts);
        for (const [index, at] of beside.changes.entries()) {
          const row = beside.rows[at];
          const other = unified.rows[unified.changes[index] ?? -1];
          if (row?.kind !== 'lines') throw new Error('a change begins with lines');
          expect(row.before ?? row.after).toEqual(other);
        }
      }),
    );
  });
});
