/** Incidents for tests. */
import * as fc from 'fast-check';
import type { Incident } from '../../../source/store/incident/incident.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 20 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Leaves out fields that are undefined, as JSON does. */
const bare = <T extends object>(value: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  value.map(
    (one) =>
      Object.fromEntries(Object.entries(one).filter(([, field]) => field !== undefined)) as T,
  );

const line = bare(
  fc.record({
    id: maybe(fc.oneof(fc.nat(), fc.bigInt({ min: 2n ** 60n, max: 2n ** 90n }))),
    deploymentId: maybe(anyText),
    serviceName: maybe(anyText),
    timestamp: maybe(anyText),
    logLine: anyText,
    stream: maybe(anyText),
    instance: maybe(fc.nat()),
  }),
);

const time = '2026-11-26T04:00:00.000Z';

export const incidents: fc.Arbitrary<Incident> = fc.record({
  header: bare(
    fc.record({
      hostdeck: anyText,
      madeAt: fc.constant(time),
      from: fc.constant(time),
      to: fc.constant(time),
      timeZone: anyText,
      clockOffset: fc.integer(),
      baseUrl: anyText,
      profile: anyText,
      deploymentId: fc.string({ minLength: 1, maxLength: 9 }),
      deploymentName: maybe(anyText),
    }),
  ),
  deployment: maybe(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })).map(
    (value) =>
      value === undefined
        ? undefined
        : (JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
  ),
  missing: fc.array(anyText, { maxLength: 3 }),
  masked: fc.constant({ secrets: 1, counts: [{ rule: 'cookie', place: 'log', count: 2 }] }),
  files: fc.array(bare(fc.record({ service: anyText, path: anyText, size: maybe(fc.nat()) })), {
    maxLength: 3,
  }),
  edits: fc.array(
    bare(
      fc.record({
        at: fc.integer(),
        service: anyText,
        path: anyText,
        reason: fc.constantFrom('saved', 'moved', 'deleted'),
        movedTo: maybe(anyText),
        diff: maybe(anyText),
      }),
    ),
    { maxLength: 3 },
  ),
  restarts: fc.array(
    bare(
      fc.record({
        at: fc.integer(),
        isReported: fc.boolean(),
        verdict: maybe(fc.record({ kind: anyText, sentence: anyText })),
      }),
    ),
    { maxLength: 3 },
  ),
  history: fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('message'),
        at: fc.integer(),
        text: anyText,
        tone: fc.constantFrom('plain', 'bad'),
        times: fc.nat(),
      }),
      bare(
        fc.record({
          kind: fc.constant('write'),
          at: fc.integer(),
          operation: anyText,
          subject: anyText,
          request: anyText,
          size: maybe(fc.nat()),
          took: fc.nat(),
          outcome: fc.oneof(
            fc.constant({ kind: 'sending' }),
            fc.record({ kind: fc.constant('done'), status: fc.nat() }),
            fc.record({
              kind: fc.constantFrom('failed', 'unknown'),
              sentence: anyText,
              said: anyText,
            }),
          ),
        }),
      ),
    ),
    { maxLength: 3 },
  ),
  marks: fc.array(line, { maxLength: 2 }),
  lines: fc.array(line, { maxLength: 6 }),
}) as fc.Arbitrary<Incident>;

/** A small incident with a line, to change a part of. */
export function smallIncident(more: Partial<Incident> = {}): Incident {
  return {
    header: {
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
    },
    deployment: { id: 'd-1', name: 'shop', state: 'active', services: [{ name: 'web' }] },
    missing: [],
    masked: { secrets: 0, counts: [] },
    files: [],
    edits: [],
    restarts: [],
    history: [],
    marks: [],
    lines: [{ id: 1, serviceName: 'web', timestamp: time, logLine: 'started', stream: 'stdout' }],
    ...more,
  };
}
