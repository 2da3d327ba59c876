import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  openServicePicker,
  chosenServices,
  serviceChoice,
  toggleService,
  serviceRowIndex,
  type ServicePickerState,
  serviceRows,
  moveToService,
} from '../../../../source/store/log/reader/services.ts';

const choices = ['web', 'api', 'worker'].map(serviceChoice);
const chosen = (open: ServicePickerState) => {
  const found = chosenServices(open, choices);
  return found === undefined ? 'nothing' : found.map(({ label }) => label);
};
const typed = (open: ServicePickerState, narrow: string): ServicePickerState => ({
  ...open,
  narrow,
});
const down = (open: ServicePickerState) =>
  moveToService(open, serviceRows(choices, open.narrow), 1);

test('the picker opens on the row of all services', () => {
  expect(chosen(openServicePicker([serviceChoice('web')]))).toEqual([]);
  expect(serviceRows(choices, '')).toEqual([undefined, ...choices]);
});

test('without marks, Enter applies the service under the cursor', () => {
  expect(chosen(down(down(openServicePicker([]))))).toEqual(['api']);
  expect(chosen(down(down(openServicePicker([serviceChoice('web')]))))).toEqual(['api']);
});

test('typing filters the services by name', () => {
  expect(chosen(typed(openServicePicker([]), 'OR'))).toEqual(['worker']);
  expect(chosen(typed(openServicePicker([]), 'none'))).toBe('nothing');
});

test('several services are marked one after the other by typing', () => {
  const one = toggleService(typed(openServicePicker([]), 'we'), choices);
  expect(one.narrow).toBe('');
  const two = toggleService(typed(one, 'work'), choices);
  expect(chosen(two)).toEqual(['web', 'worker']);
  expect(chosen(typed(two, 'none'))).toEqual(['web', 'worker']);
});

test('a mark on the row of all services removes all marks', () => {
  const one = toggleService(down(openServicePicker([])), choices);
  const none = toggleService({ ...one, under: undefined }, choices);
  expect(none.marked.size).toBe(0);
  expect(chosen(none)).toEqual([]);
});

test('after any keys the cursor is on a row and only listed services are applied', () => {
  const step = fc.constantFrom('up', 'down', 'mark', 'type', 'clear');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let open = openServicePicker([]);
      for (const each of steps) {
        const rows = serviceRows(choices, open.narrow);
        if (each === 'mark') open = toggleService(open, choices);
        else if (each === 'type') open = typed(open, `${open.narrow}e`);
        else if (each === 'clear') open = typed(open, '');
        else open = moveToService(open, rows, each === 'up' ? -1 : 1);
        const now = serviceRows(choices, open.narrow);
        expect(now.length === 0 || serviceRowIndex(open, now) < now.length).toBe(true);
      }
      const services = chosenServices(open, choices) ?? [];
      for (const one of services) expect(choices).toContain(one);
      if (open.marks && open.marked.size > 0 && services.length > 0) {
        expect(new Set(services.map(({ id }) => id))).toEqual(open.marked);
      }
    }),
  );
});
