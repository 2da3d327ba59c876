import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseConfig } from '../../source/config/parse-config.ts';
import { parseCondition } from '../../source/config/read-alerts.ts';
import { alertRulesOf } from '../../source/config/service-target.ts';

const parse = (text: string) => parseConfig(text, '/c.yaml', '/me');

function rulesOf(text: string, profile?: string) {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.problem.sentence);
  const choice =
    profile === undefined
      ? ({ kind: 'address', baseUrl: 'https://api.example.com' } as const)
      : ({ kind: 'named', profile: parsed.value.profiles.get(profile) } as const);
  return alertRulesOf(choice, parsed.value);
}

function refusal(text: string): string {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error('The program would not start.');
  const [{ sentence, next } = { sentence: '', next: '' }] = parsed.value.warnings;
  // A command that is about the rules stops.
  expect(parseConfig(text, '/c.yaml', '/', true)).toEqual({
    ok: false,
    problem: { sentence, next },
  });
  return `${sentence} ${next}`.replace('/c.yaml ', '');
}

const lines = (text: string, more = 0, within = 60_000, regex = false) => ({
  kind: 'lines',
  query: { text, regex },
  more,
  within,
});

describe('a condition', () => {
  it('is an alert, a grant, or something about the lines of a log', () => {
    expect(parseCondition('crash')).toEqual({ kind: 'deployment', alerts: ['crashing', 'failed'] });
    expect(parseCondition('grant<1d')).toEqual({
      kind: 'service',
      alerts: ['grant ending'],
      within: 86_400_000,
    });
    expect(parseCondition('silent 5m')).toEqual({ kind: 'silent', within: 300_000 });
  });

  it('on lines is a filter with a rate, of which errors and expressions are others', () => {
    expect(parseCondition('errors > 10/min')).toEqual(lines('level:error', 10));
    expect(parseCondition('errors>0/h')).toEqual(lines('level:error', 0, 3_600_000));
    expect(parseCondition('& level:warn !timeout')).toEqual(lines('level:warn !timeout'));
    expect(parseCondition('&status>=500 > 5/s')).toEqual(lines('status>=500', 5, 1000));
    expect(parseCondition('& a > b > 2 / h')).toEqual(lines('a > b', 2, 3_600_000));
    // A rate without a space before it is the value of a field.
    expect(parseCondition('& rate>10/s')).toEqual(lines('rate>10/s'));
    expect(parseCondition('pattern: out of (memory|disk) > 3/s')).toEqual(
      lines('out of (memory|disk) > 3/s', 0, 60_000, true),
    );
  });

  it('is nothing else', () => {
    const others = [
      '',
      'errors>10',
      'errors>-1/min',
      'silent',
      'silent 0',
      'silent 0.5s',
      'grant<0',
      'grant<1',
    ];
    for (const text of [
      ...others,
      'errors',
      '&',
      '& ',
      '& level: ',
      '& !',
      'pattern:',
      'pattern: (',
      'toString',
      'crash shop',
    ]) {
      expect(parseCondition(text), text).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^(?:&|crash|disk|restart|token|grant|errors|silent|pattern|worse)/.test(text));
        expect(parseCondition(text)).toBeUndefined();
      }),
    );
  });
});

const crash = {
  when: 'crash',
  condition: { kind: 'deployment', alerts: ['crashing', 'failed'] },
  holdsFor: 0,
  deployments: [],
  action: 'bell',
};

describe('the rules', () => {
  const file = `
alerts:
  - when: crash
profiles:
  prod:
    baseUrl: https://api.example.com
    alerts:
      - { when: crash, do: notify, for: 2m, deployments: [shop, ledger] }
      - { when: silent 5m, for: 30s, deployments: shop, run: 'mail -s "$HOSTDECK_ALERT" me' }
  staging:
    baseUrl: https://staging.example.com
  test:
    baseUrl: https://test.example.com
    alerts: []
`;

  it('of a profile replace those of the file', () => {
    expect(rulesOf(file, 'prod')).toEqual([
      { ...crash, action: 'notify', holdsFor: 120_000, deployments: ['shop', 'ledger'] },
      {
        when: 'silent 5m',
        condition: { kind: 'silent', within: 300_000 },
        holdsFor: 30_000,
        deployments: ['shop'],
        action: { run: 'mail -s "$HOSTDECK_ALERT" me' },
      },
    ]);
    expect(rulesOf(file, 'test')).toEqual([]);
  });

  it('of the file apply where the profile has none, and without a profile', () => {
    expect(rulesOf(file, 'staging')).toEqual([crash]);
    expect(rulesOf(file)).toEqual([crash]);
    expect(rulesOf('theme: dark')).toBeUndefined();
  });
});

test('removed keys are ignored, and named in one warning', () => {
  const profile = (line: string) => `profiles:\n  prod:\n    baseUrl: http://h\n    ${line}\n`;
  const warnings = (text: string) => {
    const parsed = parse(text);
    return parsed.ok && parsed.value.warnings.map(({ sentence, next }) => `${sentence} ${next}`);
  };
  expect(warnings('quiet: 22:00-07:00\ntheme: dark')).toEqual([
    '/c.yaml: quiet (line 1) is no longer used. Remove it.',
  ]);
  expect(warnings(`${profile('quiet: { x: [1] }')}quiet:\ntheme: pink`)).toEqual([
    '/c.yaml: quiet (line 5) and quiet (line 4) are no longer used. Remove them.',
    '/c.yaml line 6: theme is not valid. It must be auto, dark, light, contrast or mono.',
  ]);
});

describe('a mistake', () => {
  const rule = (text: string) => refusal(`alerts:\n  - { ${text} }\n`);

  it('is told with its line and what is expected', () => {
    expect(rule('when: crashed')).toMatch(
      /^line 2: when is not valid. It must be crash, .* or "pattern/,
    );
    expect(rule('do: bell')).toBe('line 2: Item 1 of alerts has no when. Add when to it.');
    expect(rule('when: crash, do: ring')).toBe(
      'line 2: do is not valid. It must be bell or notify.',
    );
    expect(rule('when: crash, deployment: shop')).toBe(
      'line 2: Unknown key deployment. Did you mean deployments?',
    );
    expect(refusal('alerts: crash')).toMatch(/^line 1: alerts is not valid. It must be a list of/);
    expect(rule('when: crash, for: 5')).toBe(
      'line 2: for is not valid. It must be a time like 2m.',
    );
    expect(rule('when: "& level:loud", deployments: shop')).toBe(
      'line 2: Unknown level: loud. Use level:fatal, error, warn, info or debug.',
    );
    expect(rule('when: crash, do: bell, run: "true"')).toBe(
      'line 2: A rule has do or run. Remove one of them.',
    );
    for (const command of ['" "', '"echo\\0"']) {
      expect(rule(`when: crash, run: ${command}`)).toBe(
        'line 2: run is not valid. It must be a shell command.',
      );
    }
  });

  it('is a rule on log lines without deployments, or about too many of them', () => {
    expect(rule('when: silent 5m')).toBe(
      'line 2: A rule on log lines must name the deployments whose logs it reads. ' +
        'Add deployments, like [shop, ledger].',
    );
    const names = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `d${from + at}`).join(', ');
    const list = (from: number, count: number) =>
      `  - { when: silent 5m, deployments: [${names(from, count)}] }\n`;
    expect(parse(`alerts:\n${list(0, 20)}${list(5, 15)}`).ok).toBe(true);
    expect(refusal(`alerts:\n${list(0, 20)}${list(10, 11)}`)).toBe(
      'line 3: Rules on log lines name 21 deployments here. ' +
        'They must be at most 20, as each of them is a stream.',
    );
  });

  it('is a deployment for what is not about deployments', () => {
    expect(rule('when: grant<1d, deployments: shop')).toBe(
      'line 2: grant<1d is not about deployments. Remove deployments here.',
    );
  });

  it('leaves the other rules as they are', () => {
    const parsed = parse(
      'alerts:\n  - { when: crash }\n  - { when: oops }\n  - { when: worse, do: notify }\n',
    );
    expect(parsed.ok && parsed.value.alerts?.map(({ when }) => when)).toEqual(['crash', 'worse']);
  });
});
