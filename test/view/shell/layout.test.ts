import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { panes } from '../../../source/store/deck/screen/focus.ts';
import { computeLayout } from '../../../source/view/shell/layout.ts';

const at = (
  columns: number,
  rows: number,
  more: Partial<Parameters<typeof computeLayout>[0]> = {},
) =>
  computeLayout({
    columns,
    rows,
    focus: 'deployments',
    fullscreen: false,
    widen: 0,
    listRows: { deployments: 31, files: 8, grants: 3 },
    ...more,
  });
const heights = (rows: number, more: Parameters<typeof at>[2] = {}) => {
  const layout = at(200, rows, more);
  return layout.kind === 'split' ? layout.left.map(({ height }) => height) : [];
};

describe('the layout', () => {
  it('shows one pane below 110 columns or 20 rows, otherwise all', () => {
    expect(at(80, 24)).toEqual({ kind: 'single', width: 80, height: 20 });
    expect(at(109, 36).kind).toBe('single');
    expect(at(200, 19).kind).toBe('single');
    expect(at(110, 20).kind).toBe('split');
  });

  it('gives the left side 46 columns or 30 %, and the details what a log of 100 leaves', () => {
    expect(at(110, 36)).toMatchObject({ leftWidth: 46, mainWidth: 63, detailsWidth: 0 });
    expect(at(189, 50)).toMatchObject({ leftWidth: 57, mainWidth: 131, detailsWidth: 0 });
    expect(at(200, 50)).toMatchObject({ leftWidth: 60, mainWidth: 100, detailsWidth: 38 });
    expect(at(300, 50)).toMatchObject({ leftWidth: 66, mainWidth: 100 });
  });

  it('gives each list what it needs, the focused one first', () => {
    expect(heights(36)).toEqual([25, 4, 4]);
    expect(heights(36, { focus: 'main' })).toEqual([25, 4, 4]);
    expect(heights(36, { focus: 'files' })).toEqual([20, 9, 4]);
    expect(heights(50)).toEqual([34, 9, 4]);
  });

  it('gives the rows that no list needs to the first one', () => {
    const listRows = { deployments: 2, files: 1, grants: 1 };
    expect(heights(36, { listRows })).toEqual([29, 2, 2]);
  });

  it('reports a terminal below 40x10 as too small', () => {
    expect(at(39, 24).kind).toBe('tiny');
    expect(at(80, 9).kind).toBe('tiny');
    expect(at(40, 10).kind).toBe('single');
  });

  it('fills every column and row of any terminal at any width of the left side', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 110, max: 500 }),
        fc.integer({ min: 20, max: 200 }),
        fc.integer({ min: -1000, max: 1000 }),
        fc.record({ deployments: fc.nat(20_000), files: fc.nat(100), grants: fc.nat(100) }),
        fc.constantFrom(...panes),
        (columns, rows, widen, listRows, focus) => {
          const layout = at(columns, rows, { widen, listRows, focus });
          if (layout.kind !== 'split') throw new Error(layout.kind);
          const rules = layout.detailsWidth > 0 ? 2 : 1;
          expect(layout.leftWidth + layout.mainWidth + layout.detailsWidth + rules).toBe(columns);
          expect(layout.left.reduce((sum, pane) => sum + pane.height, 0)).toBe(rows - 3);
          expect(Math.min(...layout.left.map(({ height }) => height))).toBeGreaterThan(1);
          expect(Math.min(layout.leftWidth, layout.mainWidth)).toBeGreaterThan(20);
        },
      ),
    );
  });
});
