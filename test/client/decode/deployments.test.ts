import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeDeployment } from '../../../source/client/decode/deployments.ts';
import { readSdlPorts, readSdlServices } from '../../../source/client/decode/sdl.ts';
import { anyText } from '../any-text.ts';

function read(record: unknown) {
  const deployment = decodeDeployment(record, 'deployments[0]');
  if (!deployment.ok) throw new Error(`${deployment.field} ${deployment.problem}`);
  return deployment.value;
}

describe('a deployment', () => {
  test('needs only an id', () => {
    expect(read({ id: 'a-1' })).toMatchObject({ value: { id: 'a-1' }, services: undefined });
  });

  test('is its id alone in a list of ids', () => {
    expect(read('a-1')).toEqual({ value: { id: 'a-1' }, services: undefined, unknown: {} });
  });

  test.each([
    [{}, 'deployments[0].id', 'is missing'],
    [{ id: 7 }, 'deployments[0].id', 'is not a string'],
    [{ id: '' }, 'deployments[0].id', 'is not a string'],
    ['', 'deployments[0]', 'is not an id or an object'],
    [7, 'deployments[0]', 'is not an id or an object'],
  ])('%j is rejected with the failing field', (record, field, problem) => {
    expect(decodeDeployment(record, 'deployments[0]')).toEqual({ ok: false, field, problem });
  });

  test('has its fields in either case and under their alternative names', () => {
    const camel = { id: 'a', state: 'up', createdAt: 't1', restartedAt: 't2', closedAt: 't3' };
    const snake = { id: 'a', status: 'up', created_at: 't1', restarted_at: 't2', closed_at: 't3' };
    expect(read(snake)).toEqual(read(camel));
    expect(read(camel).value).toMatchObject(camel);
  });

  test.each([
    [0.1 + 0.2, '0.3'],
    [2100, '2100'],
    [1e-7, '0.0000001'],
    ['0.60', '0.6'],
    ['dear', undefined],
    [null, undefined],
  ])('with the price of an hour %j has it as %j', (pricePerHour, digits) => {
    expect(read({ id: 'a', pricePerHour }).value.pricePerHour).toBe(digits);
  });

  test('has an undone restart as our host sends it, and keeps any other shape', () => {
    const rolledBack = { at: '2030-01-01T00:00:00Z', reason: 'web exited 1' };
    expect(read({ id: 'a', rolledBack }).value.rolledBack).toEqual(rolledBack);
    const other = read({ id: 'a', rolledBack: true });
    expect([other.value.rolledBack, other.unknown]).toEqual([undefined, { rolledBack: true }]);
  });

  test('keeps unknown fields and fields of another type', () => {
    const { value, unknown } = read({ id: 'a', region: 'eu', name: 12, owner: null });
    expect(value.name).toBeUndefined();
    expect(unknown).toEqual({ region: 'eu', name: 12 });
  });

  test.each([
    ['names', ['web', 'api']],
    ['objects', [{ name: 'web' }, { name: 'api' }]],
    ['objects named otherwise', [{ service_name: 'web' }, { serviceName: 'api' }]],
    ['an object keyed by name', { web: {}, api: null }],
  ])('has services as %s', (_, services) => {
    expect(read({ id: 'a', services }).services?.map(({ name }) => name)).toEqual(['web', 'api']);
  });

  const volume = { name: 'data', mount: '/data', readOnly: false, kind: 'persistent', size: 9 };

  test.each([
    [[volume], [volume]],
    [[{ ...volume, used: 0 }], [{ ...volume, used: 0 }]],
    [[{ ...volume, kind: 'shared' }], undefined],
    [[{ ...volume, used: 'much' }], undefined],
    [[{ ...volume, size: -1 }], undefined],
    [['data'], undefined],
    [{ data: volume }, undefined],
  ])('has the volumes %j of a service as %j, or as they came', (sent, decoded) => {
    const [service] = read({ id: 'a', services: [{ name: 'web', volumes: sent }] }).services ?? [];
    expect(service?.volumes).toEqual(decoded);
    expect(service?.otherFields?.['volumes']).toEqual(decoded === undefined ? sent : undefined);
  });

  const endpoint = { node: 'n1', address: '10.0.0.1', port: 30_001 };
  const instance = { instance: 2, state: 'node lost', node: 'n1', restarts: 0 };

  test.each([
    ['endpoints', [endpoint, { ...endpoint, instance: 1, target: 80 }], true],
    ['endpoints', [{ ...endpoint, port: '30001' }], false],
    ['endpoints', [{ ...endpoint, node: null }], false],
    ['endpoints', ['10.0.0.1:30001'], false],
    ['endpoints', endpoint, false],
    ['instanceStates', [instance, { instance: 1, state: 'starting' }], true],
    ['instanceStates', [{ ...instance, instance: 1.5 }], false],
    ['instanceStates', [{ ...instance, node: 7 }], false],
    ['instanceStates', [{ ...instance, reason: 'no suitable node' }], true],
    ['instanceStates', [{ ...instance, reason: {} }], false],
    ['instanceStates', { 1: 'up' }, false],
  ] as const)('has the %s %j of a service, or shows them as they came', (name, sent, isRead) => {
    const [service] = read({ id: 'a', services: [{ name: 'web', [name]: sent }] }).services ?? [];
    expect(service?.[name]).toEqual(isRead ? sent : undefined);
    expect(service?.otherFields?.[name]).toEqual(isRead ? undefined : sent);
  });

  test('has the known fields of a service', () => {
    const service = { name: 'web', status: 'up', started_at: 't', restarts: 2, exit_code: null };
    const expected = { name: 'web', state: 'up', startedAt: 't', restarts: 2, exitCode: null };
    expect(read({ id: 'a', services: [service] }).services).toEqual([expected]);
    expect(read({ id: 'a', services: { web: service } }).services).toEqual([expected]);
  });

  test('keeps unreadable services as an unknown field', () => {
    const { services, unknown } = read({ id: 'a', services: [{ title: 'web' }] });
    expect(services).toBeUndefined();
    expect(unknown).toEqual({ services: [{ title: 'web' }] });
  });

  test('treats __proto__ as an ordinary field', () => {
    const { unknown } = read(JSON.parse('{"id":"a","__proto__":{"state":"evil"}}'));
    expect(Object.keys(unknown)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(unknown)).toBe(Object.prototype);
  });

  test('survives a round trip in either case, and never throws', () => {
    const record = fc.record({
      id: fc.string({ minLength: 1 }),
      name: fc.string({ minLength: 1 }),
      state: fc.string({ minLength: 1 }),
      createdAt: fc.string({ minLength: 1 }),
      sdl: fc.string(),
    });
    fc.assert(
      fc.property(record, (deployment) => {
        const { createdAt, ...rest } = deployment;
        expect(read(deployment).value).toMatchObject(deployment);
        expect(read({ ...rest, created_at: createdAt })).toEqual(read(deployment));
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(typeof decodeDeployment(json, '').ok).toBe('boolean');
        const inside = decodeDeployment({ id: 'a', services: json }, '');
        expect(inside.ok).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an SDL', () => {
  test('names its services in its order', () => {
    const sdl = 'version: "2.0"\nservices:\n  web:\n    image: nginx\n  api: {}\nprofiles: {}\n';
    expect(readSdlServices(sdl)).toEqual([{ name: 'web' }, { name: 'api' }]);
  });

  test.each(['', 'services: [web]', 'services:', '- a', '{', 'a: *nope', '"text"'])(
    '%j names none',
    (sdl) => {
      expect(readSdlServices(sdl)).toEqual([]);
    },
  );

  test('with an alias bomb names none', () => {
    const bomb = ['l0: &l0 [x,x,x,x,x,x,x,x,x]'];
    for (let level = 1; level < 7; level += 1) {
      const nine = Array.from({ length: 9 }, () => `*l${level - 1}`);
      bomb.push(`l${level}: &l${level} [${nine.join(',')}]`);
    }
    expect(readSdlServices(`${bomb.join('\n')}\nservices: {web: *l6}`)).toEqual([]);
  });

  test.each(['{a: ', '[', '- '])('with endless nesting of %j names none', (opening) => {
    expect(readSdlServices(`services: ${opening.repeat(250_000)}`)).toEqual([]);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(anyText, (sdl) => {
        expect(Array.isArray(readSdlServices(sdl))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the ports of an SDL', () => {
  test('are listed by service with port, external port and reach', () => {
    const sdl = JSON.stringify({
      services: {
        web: { expose: [{ port: 3000, as: 80, to: [{ global: true }] }, { port: '53' }] },
        worker: { image: 'busybox' },
        odd: { expose: ['x', { port: {} }, null] },
      },
    });
    expect([...readSdlPorts(sdl)]).toEqual([['web', ['3000 as 80, global', '53']]]);
  });

  test('are empty for a text that is not a definition', () => {
    for (const sdl of ['', '[', '7', 'services: [a]', 'services: {web: {expose: 3}}']) {
      expect(readSdlPorts(sdl).size).toBe(0);
    }
  });
});

test('a service keeps its unknown fields', () => {
  const { services } = read({
    id: 'a',
    services: [{ serviceName: 'web', status: 'up', image: 'nginx', restarts: 'many' }],
  });
  expect(services).toEqual([
    { name: 'web', state: 'up', otherFields: { image: 'nginx', restarts: 'many' } },
  ]);
});
