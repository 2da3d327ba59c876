import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type DeploymentColumns,
  deploymentColumns,
  deploymentHeader,
} from '../../../source/view/deployments/columns.ts';
import { lineWidth, spansText } from '../../../source/view/text/fit.ts';

const deployment = fc
  .record({
    id: fc.string({ minLength: 8, maxLength: 44 }),
    name: fc.string({ minLength: 1, maxLength: 40 }),
    state: fc.constantFrom('active', 'crashing', 'restart failed', 'waiting-for-a-provider'),
    names: fc.array(fc.constantFrom('web', 'api', 'a-long-service-name'), { maxLength: 4 }),
  })
  .map(({ names, ...rest }) => ({
    value: { ...rest, services: names.map((name) => ({ name })) },
    unknown: {},
  }));
const list = fc.array(deployment, { maxLength: 12 });

/** Widths of the list from which each column is shown. */
const shownFrom = {
  restarts: 43,
  age: 43,
  cost: 55,
  services: 70,
  note: 80,
} as const satisfies Partial<Record<keyof DeploymentColumns, number>>;

const shown = (columns: DeploymentColumns) =>
  Object.entries(columns).flatMap(([name, width]) => (width > 0 ? [name] : []));

it('shows each column from its width on, whatever the rows hold', () => {
  fc.assert(
    fc.property(list, fc.integer({ min: 38, max: 250 }), (rows, width) => {
      const columns = deploymentColumns(rows, width);
      for (const [name, from] of Object.entries(shownFrom)) {
        const isShown = columns[name as keyof typeof shownFrom] > 0;
        expect([name, isShown]).toEqual([name, width >= from]);
      }
      expect(columns.name).toBeGreaterThanOrEqual(8);
      if (width < 100) expect(columns.id).toBe(0);
    }),
  );
});

it('never shows fewer columns in a wider list', () => {
  fc.assert(
    fc.property(
      list,
      fc.integer({ min: 38, max: 250 }),
      fc.nat({ max: 100 }),
      (rows, width, more) => {
        const wider = shown(deploymentColumns(rows, width + more));
        expect(wider).toEqual(expect.arrayContaining(shown(deploymentColumns(rows, width))));
      },
    ),
  );
});

it('fits the list', () => {
  fc.assert(
    fc.property(list, fc.integer({ min: 38, max: 250 }), (rows, width) => {
      const header = deploymentHeader(deploymentColumns(rows, width));
      expect(lineWidth([{ text: spansText(header).trimEnd() }])).toBeLessThanOrEqual(width);
    }),
  );
});

it('names the restarts in full where there is room', () => {
  const header = (width: number) => spansText(deploymentHeader(deploymentColumns([], width)));
  expect(header(60)).toMatch(/ rst +age cost\/h$/);
  expect(header(160)).toContain(' restarts ');
});
