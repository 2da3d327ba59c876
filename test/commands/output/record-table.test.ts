import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  detailLines,
  detailTsvLines,
  fitWidths,
  tableLines,
  tsvCell,
  tsvLines,
} from '../../../source/commands/output/record-table.ts';
import { grantView } from '../../../source/commands/grants/grant-view.ts';
import type { RecordColumn } from '../../../source/commands/output/record-view.ts';
import { cellWidth } from '../../../source/terminal/screen/cells.ts';

interface Row {
  readonly name?: string;
  readonly id: string;
}

const columns: readonly RecordColumn<Row>[] = [
  { title: 'NAME', value: ({ name }) => name, isShrinkable: true },
  { title: 'ID', value: ({ id }) => id },
];

describe('a table on a terminal', () => {
  it('aligns its columns below a header', () => {
    const rows = [
      { name: 'shop', id: 'a1' },
      { name: 'ledger', id: 'b' },
    ];
    expect(tableLines(rows, columns, 80, 0)).toEqual(['NAME    ID', 'shop    a1', 'ledger  b']);
  });

  it('has no column that no record tells, and - for a missing value', () => {
    expect(tableLines([{ id: 'a1' }], columns, 80, 0)).toEqual(['ID', 'a1']);
    expect(tableLines([{ id: 'a1' }, { name: 'x', id: 'b' }], columns, 80, 0)).toEqual([
      'NAME  ID',
      '-     a1',
      'x     b',
    ]);
  });

  it('cuts names, never ids, and makes controls visible', () => {
    const row = { name: 'n'.repeat(40), id: 'i'.repeat(20) };
    const lines = tableLines([row], columns, 40, 0);
    expect(Math.max(...lines.map(cellWidth))).toBe(40);
    expect(lines[1]).toContain(row.id);
    const hostile = { name: 'a\u001b[2J\nb', id: 'x' };
    expect(tableLines([hostile], columns, 40, 0)[1]).toBe('a^[[2J^Jb  x');
  });

  it('leaves optional columns out before it is too wide, the last one first, and never the others', () => {
    const optional: readonly RecordColumn<Row>[] = [
      { title: 'KIND', value: () => 'given', isOptional: true },
      ...columns,
      { title: 'AGE', value: () => '12d', isOptional: true },
    ];
    const row = { name: 'n'.repeat(40), id: 'i'.repeat(20) };
    const titles = (width: number) => tableLines([row], optional, width, 0)[0]?.split(/ +/);
    expect(titles(42)).toEqual(['KIND', 'NAME', 'ID', 'AGE']);
    expect(titles(41)).toEqual(['KIND', 'NAME', 'ID']);
    expect(titles(36)).toEqual(['NAME', 'ID']);
    expect(tableLines([row], optional, 10, 0)[1]).toContain(row.id);
  });

  it('shows what other commands take whole at any width: ids of grants, names, paths', () => {
    const id = '5fc59e50-33b1-45ee-93c4-a7f83a72a2ee-12';
    const grant = {
      id,
      grantor: `0x${'a'.repeat(40)}`,
      grantee: `0x${'b'.repeat(40)}`,
      limit: 50,
      limit_digits: '50',
      spent: 0.002816666666666667,
      spent_digits: '0.002816666666666667',
      expires_at: '2026-12-24T00:00:00Z',
      created_at: '2026-11-24T00:00:00Z',
    };
    const view = grantView({ caller: grant.grantor, book: [], now: 0 });
    const read = [{ value: grant, unknown: {} }];
    for (const width of [40, 60, 80, 100, 120, 200]) {
      const lines = tableLines(read, view.columns, width, 0);
      expect(lines[1]).toContain(id);
      expect(lines[1]).toMatch(/ 0\.002 /);
      if (width >= 80) expect(Math.max(...lines.map(cellWidth))).toBeLessThanOrEqual(width);
    }
    expect(tsvLines(read, view.columns)[0]).toContain('0.002816666666666667');
  });

  it('is as wide as wanted where that fits, else as narrow as the columns can be', () => {
    const widths = fc.array(
      fc.record({
        wanted: fc.nat(50),
        least: fc.option(fc.nat(20), { nil: undefined }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(widths, fc.nat(120), (wanted, room) => {
        const fitted = fitWidths(wanted, room);
        const total = fitted.reduce((sum, each) => sum + each, 0);
        const whole = wanted.reduce((sum, each) => sum + each.wanted, 0);
        if (whole <= room) expect(fitted).toEqual(wanted.map((each) => each.wanted));
        else if (total > room) {
          for (const [at, { wanted: most, least }] of wanted.entries()) {
            expect(fitted[at]).toBe(Math.min(most, least ?? most));
          }
        } else expect(total).toBe(room);
      }),
    );
  });
});

describe('TSV', () => {
  it('has all columns, without a header', () => {
    expect(tsvLines([{ id: 'a1' }], columns)).toEqual(['\ta1']);
    expect(tsvLines([{ name: 'shop', id: 'a1' }], columns)).toEqual(['shop\ta1']);
  });

  it('keeps each value in one cell, from which it can be read back', () => {
    expect(tsvCell('a\tb\nc\\d\u001b')).toBe(String.raw`a\tb\nc\\d\x1b`);
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', 'x', '1', '\\', '\t', '\n', '\r', '\u001b', '\u0085', 'é'),
        }),
        (text) => {
          const cell = tsvCell(text);
          // oxlint-disable-next-line no-control-regex -- No control may be left.
          expect(cell).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
          const back = cell.replaceAll(
            /\\(?:x([\da-f]{2})|(.))/g,
            (_, code: string | undefined, letter: string) =>
              code === undefined
                ? ({ t: '\t', n: '\n', r: '\r' }[letter] ?? letter)
                : String.fromCharCode(Number.parseInt(code, 16)),
          );
          expect(back).toBe(text);
        },
      ),
    );
  });
});

it('prints a single record as titles and values', () => {
  const rows = [
    { title: 'NAME', value: 'shop' },
    { title: 'CREATED', value: '2026-01-01T00:00:00Z', shown: '2026-01-01T00:00:00Z (1d ago)' },
    { title: 'OWNER', value: undefined },
  ];
  expect(detailLines(rows)).toEqual(['NAME     shop', 'CREATED  2026-01-01T00:00:00Z (1d ago)']);
  expect(detailTsvLines(rows)).toEqual(['name\tshop', 'created\t2026-01-01T00:00:00Z']);
});
