import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../source/contract/decimal.ts';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';

const complete = `---
version: "2.1"
name: shop
x-common: &common
  env:
    - REGION=north
endpoints:
  web-ip:
    kind: ip
services:
  web:
    <<: *common
    image: nginx:1.25
    command:
      - node
    args: ["server.js", --port, 8080, true]
    expose:
      - port: 80
        as: 8080
        accept: [shop.example.com]
        proto: HTTP
        to:
          - {global: true, ip: web-ip}
          - service: api
      - port: 9000
    params:
      storage:
        data: {mount: /data}
  api:
    command: [node, -e, "0"]
    dependsOn: [{service: web}]
    env:
      NAME: value
      NUMBER: 2.50
      EMPTY:
      SPACED: "a = b"
profiles:
  compute:
    web: {resources: {cpu: {units: 0.5}, gpu: {units: 1}, storage: [{name: data, size: 1Gi}]}}
    small: {resources: {cpu: {units: 100m}}}
  placement:
    east:
      attributes: {region: us-east}
      signedBy: {anyOf: [akash1abc]}
      pricing:
        web: {denom: uakt, amount: 1000}
        small: {denom: uakt, amount: 0.5}
    west:
      pricing:
        web: {denom: uakt, amount: "2000.25"}
deployment:
  web:
    east: {profile: web, count: 2}
    west: {profile: web, count: 1}
  api:
    east: {profile: small, count: 4}
`;

function problemsOf(text: string) {
  const parsed = parseSdl(text);
  return parsed.ok ? [] : parsed.problems;
}

function definitionOf(text: string) {
  const parsed = parseSdl(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.definition;
}

/** Builds the shortest SDL with these lines as its service. */
function withService(lines: string): string {
  return `version: "2.0"
services:
  web:
${lines.replaceAll(/^/gm, '    ')}
profiles:
  compute: {web: {}}
  placement: {here: {pricing: {web: {amount: 0}}}}
deployment:
  web: {here: {profile: web}}
`;
}

describe('a complete document', () => {
  it('is read, and unknown keys are ignored', () => {
    const { name, services } = definitionOf(complete);
    expect(name).toBe('shop');
    expect(services).toEqual([
      {
        name: 'web',
        image: 'nginx:1.25',
        imagePosition: { line: 13, column: 5 },
        command: ['node'],
        args: ['server.js', '--port', '8080', 'true'],
        env: { REGION: 'north' },
        expose: [
          {
            port: 80,
            as: 8080,
            proto: 'http',
            global: true,
            services: ['api'],
            position: { line: 18, column: 9 },
          },
          {
            port: 9000,
            as: undefined,
            proto: 'tcp',
            global: false,
            services: [],
            position: { line: 25, column: 9 },
          },
        ],
        count: 3,
        dependsOn: [],
        volumes: [
          { name: 'data', mount: '/data', readOnly: false, kind: 'temporary', size: 2 ** 30 },
        ],
        position: { line: 11, column: 3 },
      },
      {
        name: 'api',
        image: undefined,
        command: ['node', '-e', '0'],
        args: [],
        env: { NAME: 'value', NUMBER: '2.50', EMPTY: '', SPACED: 'a = b' },
        expose: [],
        count: 4,
        dependsOn: ['web'],
        position: { line: 29, column: 3 },
      },
    ]);
  });

  it('costs the prices of its placements, times the instances there', () => {
    // 2 * 1000 + 1 * 2000.25 + 4 * 0.5 micro-units
    expect(definitionOf(complete).price).toBe(parseDecimal('0.00400225'));
  });

  it('has each placement with its price and the place of the amount', () => {
    const amount = (text: string) => parseDecimal(text);
    expect(definitionOf(complete).placements).toEqual([
      { service: 'web', count: 2, amount: amount('0.001'), position: { line: 46, column: 28 } },
      {
        service: 'web',
        count: 1,
        amount: amount('0.00200025'),
        position: { line: 50, column: 28 },
      },
      { service: 'api', count: 4, amount: amount('0.0000005'), position: { line: 47, column: 30 } },
    ]);
  });

  it('without a name has the name of its first service, and with a price of 0 is free', () => {
    const definition = definitionOf(withService('command: [a]'));
    expect(definition).toMatchObject({ name: 'web', price: 0n, services: [{ count: 1 }] });
  });

  it('may have tags of YAML 1.1 at its lists and maps', () => {
    const tagged = complete
      .replace('expose:', 'expose: !!omap')
      .replace('accept: [', 'accept: !!pairs [')
      .replace('    env:\n', '    env: !!set\n');
    expect(parseSdl(tagged)).toEqual(parseSdl(complete));
    expect(tagged.match(/!!/g)).toHaveLength(3);
  });

  it('may write its version without quotes', () => {
    expect(parseSdl(withService('command: [a]').replace('"2.0"', '2.0')).ok).toBe(true);
  });
});

describe('environments', () => {
  it.each([
    ['env: [A=1, B=x=y, C, "D="]', { A: '1', B: 'x=y', C: '', D: '' }],
    ['env: {A: 1, B: x=y, C: , D: 007}', { A: '1', B: 'x=y', C: '', D: '007' }],
    ['env:', {}],
    ['env: [A=1, A=2]', { A: '2' }],
  ])('%s', (env, expected) => {
    const [service] = definitionOf(withService(`command: [a]\n${env}`)).services;
    expect(service?.env).toEqual(expected);
  });

  it('may contain a name with a meaning in JavaScript', () => {
    const [service] = definitionOf(withService('command: [a]\nenv: [__proto__=x]')).services;
    expect(Object.entries(service?.env ?? {})).toEqual([['__proto__', 'x']]);
  });
});

describe('a mistake', () => {
  it.each([
    ['', 'sdl', 1, 1],
    ['just text', 'sdl', 1, 1],
    ['a: [1', 'sdl', 1, 4],
    ['a: 1\na: 2', 'sdl', 2, 1],
    ['a: 1\n---\nb: 2', 'sdl', 2, 1],
    ['version: "3.0"\nservices: {}', 'version', 1, 10],
    [withService('command: node x'), 'services.web.command', 4, 14],
    [withService('command: [node, [x]]'), 'services.web.command[1]', 4, 21],
    [withService('command: [a]\nenv: 5'), 'services.web.env', 5, 10],
    [withService('command: [a]\nenv: ["=x"]'), 'services.web.env[0]', 5, 11],
    [withService('command: [a]\nenv: ["A=\\0"]'), 'services.web.env[0]', 5, 11],
    [withService('command: [a]\nexpose: [{port: 0}]'), 'services.web.expose[0].port', 5, 21],
    [withService('command: [a]\nexpose: [{port: 80.5}]'), 'services.web.expose[0].port', 5, 21],
    [withService('command: [a]\nexpose: [{as: 80}]'), 'services.web.expose[0]', 5, 14],
    [
      withService('command: [a]\nexpose: [{port: 1, proto: sctp}]'),
      'services.web.expose[0].proto',
      5,
      31,
    ],
    [complete.replace('count: 2', 'count: 0'), 'deployment.web.east.count', 53, 33],
    [complete.replace('profile: small', 'profile: big'), 'deployment.api.east.profile', 56, 21],
    [
      complete.replace('amount: 1000', 'amount: -1'),
      'profiles.placement.east.pricing.web.amount',
      46,
      36,
    ],
    [
      complete.replace('amount: 1000', 'amount: 1e-13'),
      'profiles.placement.east.pricing.web.amount',
      46,
      36,
    ],
    [
      complete.replace('    west: {profile: web, count: 1}', '    south: {profile: web}'),
      'deployment.web.south',
      54,
      5,
    ],
    ['a: *b', 'sdl', 1, 4],
    [complete.replace('ip: web-ip', 'ip: wep-ip'), 'services.web.expose[0].to[0].ip', 23, 32],
    [complete.replace('  api:\n    east', '  apu:\n    east'), 'deployment.apu', 55, 3],
    [complete.replace('  web:\n    <<', '  "../w":\n    <<'), 'services.../w', 11, 3],
  ])('in %j has its position', (text, field, line, column) => {
    expect(problemsOf(text)).toContainEqual(expect.objectContaining({ field, line, column }));
  });

  it('does not hide the others, and all are in the order of the text', () => {
    const text = withService('command: a\nargs: b\nenv: 5').replace('"2.0"', '"1"');
    expect(problemsOf(text).map(({ field }) => field)).toEqual([
      'version',
      'services.web.command',
      'services.web.args',
      'services.web.env',
    ]);
  });
});

describe('any text', () => {
  it('is read or rejected with a position', () => {
    const tokens =
      'version~services~deployment~profiles~web~command~count~"2.0"~: ~\n~\n  ~\n    ~- ~[~]~{~}' +
      '~&a ~*a~<<: *a~|~#';
    const words = fc.constantFrom(...tokens.split('~'));
    const texts = fc.oneof(
      fc.string(),
      fc.array(words).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const { line, column, expected } of problemsOf(text)) {
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
          expect(expected).not.toBe('');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('with a name of half a megabyte in many places is rejected in a short answer', () => {
    const long = 'x'.repeat(2 ** 19);
    const services = Array.from({ length: 200 }, (_, index) => `s${index}`);
    const lines = (line: (index: number) => string) =>
      services.map((name, index) => `  ${name}: ${line(index)}\n`).join('');
    const profiles = lines((index) => `{here: {profile: ${index === 0 ? `&p ${long}` : '*p'}}}`);
    const parsed = parseSdl(
      `services:\n${lines(() => '{}')}  ? ${long}\n  : 1\ndeployment:\n${profiles}profiles: {compute: {}, placement: {here: {}}}\n`,
    );
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed).length).toBeLessThan(100_000);
  });

  it('that merges itself many times over is rejected quickly', () => {
    const maps = Array.from({ length: 12 }, (_, index) => {
      const previous =
        index === 0
          ? ''
          : `, <<: [${Array(9)
              .fill(`*a${index - 1}`)
              .join()}]`;
      return `a${index}: &a${index} {k${index}: 1${previous}}`;
    });
    const text = `${maps.join('\n')}\nservices: *a11\n`;
    expect(problemsOf(text)).toContainEqual(
      expect.objectContaining({ expected: 'fewer than 200000 values, with aliases expanded' }),
    );
  });

  it('that repeats a list in many services is rejected', () => {
    const words = `&words [${Array(1000).fill('x').join()}]`;
    const services = Array.from(
      { length: 200 },
      (_, index) => `  s${index}: { command: ${index === 0 ? words : '*words'} }\n`,
    );
    expect(problemsOf(`services:\n${services.join('')}`)).toContainEqual(
      expect.objectContaining({ expected: 'fewer than 200000 values, with aliases expanded' }),
    );
  });
});
