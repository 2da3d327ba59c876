import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeLayout } from '../../../source/view/shell/layout.ts';

const at = (columns: number, rows: number, widen = 0) =>
  computeLayout({ columns, rows, focus: 'deployments', fullscreen: false, widen });

describe('the layout', () => {
  it('shows one pane below 110 columns or 20 rows, otherwise all', () => {
    expect(at(80, 24)).toEqual({ kind: 'single', width: 80, height: 20 });
    expect(at(109, 36).kind).toBe('single');
    expect(at(200, 19).kind).toBe('single');
    expect(at(110, 20).kind).toBe('split');
  });

  it('gives the left side 38 columns, or 44 from 160 columns, with details beside the log', () => {
    expect(at(120, 36)).toMatchObject({ leftWidth: 38, mainWidth: 81, detailsWidth: 0 });
    expect(at(160, 50)).toMatchObject({ leftWidth: 44 });
    expect(at(159, 50)).toMatchObject({ leftWidth: 38, detailsWidth: 0 });
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
        (columns, rows, widen) => {
          const layout = at(columns, rows, widen);
          if (layout.kind !== 'split') throw new Error(layout.kind);
          const rules = layout.detailsWidth > 0 ? 2 : 1;
          expect(layout.leftWidth + layout.mainWidth + layout.detailsWidth + rules).toBe(columns);
          expect(layout.left.reduce((sum, pane) => sum + pane.height, 0)).toBe(rows - 3);
          expect(Math.min(layout.leftWidth, layout.mainWidth)).toBeGreaterThan(20);
        },
      ),
    );
  });
});
