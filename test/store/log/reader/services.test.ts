import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  choosingServices,
  chosenServices,
  markService,
  rowUnder,
  type ServiceChoosing,
  serviceRows,
  stepService,
} from '../../../../source/store/log/reader/services.ts';

const names = ['web', 'api', 'worker'];
const chosen = (open: ServiceChoosing) => {
  const found = chosenServices(open, names);
  return found === undefined ? 'nothing' : found.services && [...found.services];
};
const typed = (open: ServiceChoosing, narrow: string): ServiceChoosing => ({ ...open, narrow });
const down = (open: ServiceChoosing) => stepService(open, serviceRows(names, open.narrow), 1);

test('the picker opens on the row of all services', () => {
  expect(chosen(choosingServices(new Set(['web'])))).toBeUndefined();
  expect(serviceRows(names, '')).toEqual([undefined, ...names]);
});

test('without marks, Enter applies the service under the cursor', () => {
  expect(chosen(down(down(choosingServices(undefined))))).toEqual(['api']);
  expect(chosen(down(down(choosingServices(new Set(['web'])))))).toEqual(['api']);
});

test('typing filters the services by name', () => {
  expect(chosen(typed(choosingServices(undefined), 'OR'))).toEqual(['worker']);
  expect(chosen(typed(choosingServices(undefined), 'none'))).toBe('nothing');
});

test('several services are marked one after the other by typing', () => {
  const one = markService(typed(choosingServices(undefined), 'we'), names);
  expect(one.narrow).toBe('');
  const two = markService(typed(one, 'work'), names);
  expect(chosen(two)).toEqual(['web', 'worker']);
  expect(chosen(typed(two, 'none'))).toEqual(['web', 'worker']);
});

test('a mark on the row of all services removes all marks', () => {
  const one = markService(down(choosingServices(undefined)), names);
  const none = markService({ ...one, under: undefined }, names);
  expect(none.marked.size).toBe(0);
  expect(chosen(none)).toBeUndefined();
});

test('after any keys the cursor is on a row and only listed services are applied', () => {
  const step = fc.constantFrom('up', 'down', 'mark', 'type', 'clear');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let open = choosingServices(undefined);
      for (const each of steps) {
        const rows = serviceRows(names, open.narrow);
        if (each === 'mark') open = markService(open, names);
        else if (each === 'type') open = typed(open, `${open.narrow}e`);
        else if (each === 'clear') open = typed(open, '');
        else open = stepService(open, rows, each === 'up' ? -1 : 1);
        const now = serviceRows(names, open.narrow);
        expect(now.length === 0 || rowUnder(open, now) < now.length).toBe(true);
      }
      const services = chosenServices(open, names)?.services ?? new Set();
      for (const name of services) expect(names).toContain(name);
      if (open.marks && open.marked.size > 0 && services.size > 0) {
        expect(services).toEqual(open.marked);
      }
    }),
  );
});
