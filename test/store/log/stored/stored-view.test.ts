import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isFirstView, readStoredView } from '../../../../source/store/log/stored/stored-view.ts';

const line = fc.record(
  {
    id: fc.string(),
    at: fc.string(),
    service: fc.string(),
    deployment: fc.string(),
    text: fc.string({ maxLength: 400 }),
  },
  { requiredKeys: ['text'] },
);
const filter = fc.record({
  query: fc.record({ text: fc.string(), regex: fc.boolean() }),
  isExcluding: fc.boolean(),
  isOn: fc.boolean(),
});
const view = fc.record(
  {
    filters: fc.array(filter, { maxLength: 5 }),
    services: fc.array(fc.string(), { maxLength: 3 }),
    members: fc.array(fc.nat(), { maxLength: 3 }),
    cursor: line,
    anchor: line,
    marks: fc.array(line, { maxLength: 5 }),
    patternNames: fc.array(
      fc.record({ template: fc.string(), name: fc.string({ minLength: 1, maxLength: 60 }) }),
      { maxLength: 3 },
    ),
    patternOrder: fc.record({
      by: fc.constantFrom('attention', 'lines', 'rate', 'last seen', 'first seen'),
      isReversed: fc.boolean(),
    }),
    isFolded: fc.constant(true),
  },
  { requiredKeys: ['filters', 'marks'] },
);

it('a stored view is read as it was', () => {
  fc.assert(
    fc.property(view, (stored) => {
      expect(readStoredView(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
    }),
  );
});

it('anything else is the view of a log that is opened first, or a valid one', () => {
  expect(isFirstView(readStoredView(undefined))).toBe(true);
  fc.assert(
    fc.property(fc.jsonValue(), (stored) => {
      const read = readStoredView(stored);
      expect(readStoredView(JSON.parse(JSON.stringify(read)))).toEqual(read);
    }),
  );
});
