/** Incidents for tests. */
import * as fc from 'fast-check';
import type { Incident, IncidentFacts } from '../../../source/store/incident/incident.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 20 });
const someText = fc.string({ minLength: 1, maxLength: 9 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const time = '2026-11-26T04:00:00.000Z';

const line = fc.record({
  id: maybe(fc.oneof(fc.nat(), fc.bigInt({ min: 2n ** 60n, max: 2n ** 90n }))),
  deploymentId: fc.constant('d-1'),
  serviceName: maybe(someText),
  timestamp: maybe(fc.constant(time)),
  logLine: anyText,
  stream: maybe(someText),
  instance: maybe(fc.integer({ min: 1, max: 9 })),
  partial: fc.constant(undefined),
});

export const incidents: fc.Arbitrary<Incident> = fc.record({
  facts: fc.record({
    hostdeck: anyText,
    madeAt: fc.constant(time),
    from: fc.constant(time),
    to: fc.constant(time),
    timeZone: anyText,
    clockOffset: fc.integer(),
    baseUrl: anyText,
    profile: anyText,
    deploymentId: someText,
    deploymentName: anyText,
    deployment: fc.dictionary(fc.string(), fc.integer(), { noNullPrototype: true }),
    files: fc.dictionary(fc.string(), fc.array(fc.record({ path: anyText, size: fc.nat() })), {
      noNullPrototype: true,
    }),
    events: fc.array(fc.record({ at: fc.integer(), text: anyText }), { maxLength: 3 }),
    missing: fc.array(anyText, { maxLength: 3 }),
    masked: fc.constant({ secrets: 1, places: 2 }),
  }),
  diffs: fc.uniqueArray(
    fc.record({
      service: fc.constantFrom('web', 'api'),
      path: fc.stringMatching(/^[a-zäß]{1,90}(?:\/[a-z .-]{1,90}x){0,3}$/),
      text: anyText,
    }),
    { maxLength: 3, selector: ({ service, path }) => `${service}/${path}` },
  ),
  marks: fc.array(line, { maxLength: 2 }),
  lines: fc.array(line, { maxLength: 6 }),
});

/** A small incident with a line, to change a part of. */
export function smallIncident(
  facts: Partial<IncidentFacts> = {},
  more: Partial<Omit<Incident, 'facts'>> = {},
): Incident {
  return {
    facts: {
      hostdeck: '0.1.0',
      madeAt: time,
      from: '2026-11-26T03:30:00.000Z',
      to: time,
      timeZone: 'UTC',
      clockOffset: 0,
      baseUrl: 'https://api.example.com/v9',
      profile: 'prod',
      deploymentId: 'd-1',
      deploymentName: 'shop',
      deployment: { id: 'd-1', name: 'shop', state: 'active', services: [{ name: 'web' }] },
      files: {},
      events: [],
      missing: [],
      masked: { secrets: 0, places: 0 },
      ...facts,
    },
    diffs: [],
    marks: [],
    lines: [{ id: 1, serviceName: 'web', timestamp: time, logLine: 'started', stream: 'stdout' }],
    ...more,
  };
}
