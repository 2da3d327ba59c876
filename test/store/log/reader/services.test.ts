import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  openServicePicker,
  chosenServices,
  toggleService,
  serviceRowIndex,
  type ServicePickerState,
  serviceRows,
  moveToService,
} from '../../../../source/store/log/reader/services.ts';

const names = ['web', 'api', 'worker'];
const chosen = (open: ServicePickerState) => {
  const found = chosenServices(open, names);
  return found === undefined ? 'nothing' : found.services && [...found.services];
};
const typed = (open: ServicePickerState, narrow: string): ServicePickerState => ({
  ...open,
  narrow,
});
const down = (open: ServicePickerState) => moveToService(open, serviceRows(names, open.narrow), 1);

test('the picker opens on the row of all services', () => {
  expect(chosen(openServicePicker(new Set(['web'])))).toBeUndefined();
  expect(serviceRows(names, '')).toEqual([undefined, ...names]);
});

test('without marks, Enter applies the service under the cursor', () => {
  expect(chosen(down(down(openServicePicker(undefined))))).toEqual(['api']);
  expect(chosen(down(down(openServicePicker(new Set(['web'])))))).toEqual(['api']);
});

test('typing filters the services by name', () => {
  expect(chosen(typed(openServicePicker(undefined), 'OR'))).toEqual(['worker']);
  expect(chosen(typed(openServicePicker(undefined), 'none'))).toBe('nothing');
});

test('several services are marked one after the other by typing', () => {
  const one = toggleService(typed(openServicePicker(undefined), 'we'), names);
  expect(one.narrow).toBe('');
  const two = toggleService(typed(one, 'work'), names);
  expect(chosen(two)).toEqual(['web', 'worker']);
  expect(chosen(typed(two, 'none'))).toEqual(['web', 'worker']);
});

test('a mark on the row of all services removes all marks', () => {
  const one = toggleService(down(openServicePicker(undefined)), names);
  const none = toggleService({ ...one, under: undefined }, names);
  expect(none.marked.size).toBe(0);
  expect(chosen(none)).toBeUndefined();
});

test('after any keys the cursor is on a row and only listed services are applied', () => {
  const step = fc.constantFrom('up', 'down', 'mark', 'type', 'clear');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let open = openServicePicker(undefined);
      for (const each of steps) {
        const rows = serviceRows(names, open.narrow);
        if (each === 'mark') open = toggleService(open, names);
        else if (each === 'type') open = typed(open, `${open.narrow}e`);
        else if (each === 'clear') open = typed(open, '');
        else open = moveToService(open, rows, each === 'up' ? -1 : 1);
        const now = serviceRows(names, open.narrow);
        expect(now.length === 0 || serviceRowIndex(open, now) < now.length).toBe(true);
      }
      const services = chosenServices(open, names)?.services ?? new Set();
      for (const name of services) expect(names).toContain(name);
      if (open.marks && open.marked.size > 0 && services.size > 0) {
        expect(services).toEqual(open.marked);
      }
    }),
  );
});
