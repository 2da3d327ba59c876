import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { panes } from '../../../source/store/deck/screen/focus.ts';
import { listPaneNames } from '../../../source/store/lists/list-panes.ts';
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

  it('shows 23 of 30 deployments at 120x36, and all of them at 200x50', () => {
    const deploymentRows = (columns: number, rows: number) => {
      const layout = at(columns, rows);
      // Besides the rows, a list has its title and the names of its columns.
      return layout.kind === 'split' ? (layout.left[0]?.height ?? 0) - 2 : 0;
    };
    expect(deploymentRows(120, 36)).toBe(23);
    expect(deploymentRows(200, 50)).toBeGreaterThanOrEqual(30);
  });

  it('gives each list its smallest height, then the focused one what it needs, then the others', () => {
    const smallest = { deployments: 6, files: 4, grants: 4 };
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 120 }),
        fc.record({ deployments: fc.nat(90), files: fc.nat(90), grants: fc.nat(90) }),
        fc.constantFrom(...panes),
        (rows, listRows, focus) => {
          const layout = at(120, rows, { listRows, focus });
          if (layout.kind !== 'split') throw new Error(layout.kind);
          const first = focus === 'main' ? 'deployments' : focus;
          const order = [first, ...listPaneNames.filter((pane) => pane !== first)];
          const facts = layout.left.map(({ pane, height }) => {
            const need = 1 + Math.max(1, listRows[pane]);
            return { pane, height, need, least: Math.min(need, smallest[pane]) };
          });
          for (const { height, least } of facts) expect(height).toBeGreaterThanOrEqual(least);
          // A list has more than its smallest height only when all before it have what they need.
          const hungry = order.find((pane) => {
            const fact = facts.find((one) => one.pane === pane);
            return fact !== undefined && fact.height < fact.need;
          });
          const after = hungry === undefined ? [] : order.slice(order.indexOf(hungry) + 1);
          for (const { pane, height, least } of facts) {
            if (after.includes(pane)) expect(height).toBe(least);
          }
          // Rows that no list needs are those of the first one.
          for (const { pane, height, need } of facts) {
            if (pane !== 'deployments') expect(height).toBeLessThanOrEqual(need);
          }
        },
      ),
    );
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
