import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toggledMark, noMarks } from '../../../source/store/lists/marks.ts';
import { listedMarks, undoneMarks } from '../../../source/store/deployments/marks.ts';
import { createScreenStore } from '../../../source/store/deck/screen/screen.ts';
import { escapeStep } from '../../../source/store/deck/screen/escape.ts';
import { read } from '../requests.ts';

const id = fc.constantFrom<string>('a', 'b', 'c', 'd');
const row = (of: string) => read({ id: of, services: [] });

test('marks of rows that are not listed are removed', () => {
  fc.assert(
    fc.property(fc.array(id), fc.uniqueArray(id), (toggles, listed) => {
      const marks = toggles.reduce<ReadonlySet<string>>(toggledMark, noMarks);
      const odd = ['a', 'b', 'c', 'd'].filter(
        (one) => toggles.filter((toggle) => toggle === one).length % 2 === 1,
      );
      expect([...marks].sort()).toEqual(odd);
      const left = listedMarks(marks, listed.map(row));
      expect([...left].sort()).toEqual(odd.filter((one) => listed.includes(one)));
      if (left.size === marks.size) expect(left).toBe(marks);
    }),
  );
});

test('deployments that a batch has done lose their marks', () => {
  const steps = new Map([
    ['a', { kind: 'done' }],
    ['b', { kind: 'unsent' }],
  ] as const);
  expect([...undoneMarks(new Set(['a', 'b', 'c']), { verb: 'close', steps })]).toEqual(['b', 'c']);
});

test('Esc clears the marks before the filter, and marks of files stay', () => {
  const screen = createScreenStore().getState();
  const marked = {
    ...screen,
    deploymentMarks: new Set(['a']),
    marks: new Set(['x']),
    filters: { ...screen.filters, deployments: 'shop' },
  };
  expect(escapeStep(marked)).toEqual({ deploymentMarks: noMarks });
  expect(escapeStep({ ...marked, focus: 'files' })).toEqual({ marks: noMarks });
});
