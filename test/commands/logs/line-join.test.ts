import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineJoin } from '../../../source/commands/logs/run-logs.ts';
import { logLabels } from '../../../source/commands/logs/print-logs.ts';

const anyLines = fc.array(fc.option(fc.nat({ max: 9 }), { nil: undefined }), { maxLength: 8 });

test('lines of quiet members are taken whole, in the order of each', () => {
  fc.assert(
    fc.property(fc.array(anyLines, { minLength: 1, maxLength: 4 }), (logs) => {
      const join = createLineJoin(logs.length);
      for (const [member, times] of logs.entries()) {
        for (const [index, time] of times.entries()) join.add(member, time, `${member} ${index}`);
      }
      const taken = join.take(() => true).map((text) => text.split(' ').map(Number));
      for (const [member, times] of logs.entries()) {
        const own = taken.filter(([of]) => of === member).map(([, index]) => index);
        expect(own).toEqual(times.map((_, index) => index));
        expect(join.isEmpty(member)).toBe(true);
      }
    }),
  );
});

test('lines in the order of their logs come in the order of their times', () => {
  const sorted = fc.array(fc.nat({ max: 99 })).map((times) => times.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(fc.array(sorted, { minLength: 1, maxLength: 4 }), fc.nat(4), (logs, chunk) => {
      const join = createLineJoin(logs.length);
      const left = logs.map((times) => [...times]);
      const taken: number[] = [];
      for (let round = 0; round < 500; round += 1) {
        for (const [member, times] of left.entries()) {
          if (!join.isEmpty(member)) continue;
          for (const time of times.splice(0, chunk + 1)) join.add(member, time, String(time));
        }
        taken.push(...join.take((member) => left[member]?.length === 0).map(Number));
      }
      expect(taken).toEqual(logs.flat().toSorted((a, b) => a - b));
    }),
  );
});

test('lines wait for a log whose lines may be older', () => {
  const join = createLineJoin(2);
  join.add(0, 5, 'a');
  expect(join.take((member) => member === 0)).toEqual([]);
  join.add(1, 3, 'b');
  expect(join.take((member) => member === 0)).toEqual(['b']);
  expect(join.take(() => true)).toEqual(['a']);
});

test('logs have names of one width, or ids where names are not unique', () => {
  const labels = logLabels([
    { id: 'a-1', name: 'shop' },
    { id: 'b-2', name: 'my ledger' },
    { id: 'c-3', name: '\u001b[31m' },
    { id: 'd-4' },
    { id: 'e-5', name: 'shop' },
  ]);
  expect(labels.map(({ text }) => text)).toEqual([
    'a-1      ',
    'my_ledger',
    '^[[31m   ',
    'd-4      ',
    'e-5      ',
  ]);
  expect(labels[0]?.style).not.toBe(labels[1]?.style);
});
