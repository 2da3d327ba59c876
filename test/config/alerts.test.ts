import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../source/config/alert-condition.ts';
import { alertSettingsOf } from '../../source/config/alert-settings.ts';
import { parseConfig } from '../../source/config/parse-config.ts';

const parse = (text: string) => parseConfig(text, '/c.yaml', '/me');

function settings(text: string, profile?: string) {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.problem.sentence);
  const choice =
    profile === undefined
      ? ({ kind: 'address', baseUrl: 'https://api.example.com' } as const)
      : ({ kind: 'named', profile: parsed.value.profiles.get(profile) } as const);
  return alertSettingsOf(choice, parsed.value);
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

describe('a condition', () => {
  it('is an alert, a grant, or something about the lines of a log', () => {
    expect(parseCondition('crash')).toEqual({
      kind: 'alert',
      scope: 'deployments',
      alerts: ['crashing', 'failed'],
    });
    expect(parseCondition('grant<1d')).toEqual({
      kind: 'grant',
      scope: 'grants',
      within: 86_400_000,
    });
    expect(parseCondition('errors > 10/min')).toEqual({ kind: 'errors', more: 10, within: 60_000 });
    expect(parseCondition('errors>0/h')).toEqual({ kind: 'errors', more: 0, within: 3_600_000 });
    expect(parseCondition('silent 5m')).toEqual({ kind: 'silent', span: 300_000 });
    expect(parseCondition('pattern: out of (memory|disk)')).toEqual({
      kind: 'pattern',
      pattern: 'out of (memory|disk)',
    });
  });

  it('is nothing else', () => {
    const others = ['', 'errors>10', 'errors>-1/min', 'silent', 'silent 0', 'grant<0', 'grant<1'];
    for (const text of [...others, 'pattern:', 'pattern: (', 'toString', 'crash shop']) {
      expect(parseCondition(text), text).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\s*(?:crash|restart|token|grant|errors|silent|pattern)/.test(text));
        expect(parseCondition(text)).toBeUndefined();
      }),
    );
  });
});

describe('the rules', () => {
  const file = `
quiet: 22:00-07:00
alerts:
  - when: crash
profiles:
  prod:
    baseUrl: https://api.example.com
    alerts:
      - { when: crash, do: notify, deployments: [shop, ledger] }
      - { when: "pattern: ^panic", deployments: shop }
      - { when: grant<12h }
  staging:
    baseUrl: https://staging.example.com
    quiet: 12:30-13:00
  test:
    baseUrl: https://test.example.com
    alerts: []
`;

  it('of a profile replace those of the file', () => {
    expect(settings(file, 'prod')).toEqual({
      rules: [
        {
          when: 'crash',
          action: 'notify',
          deployments: ['shop', 'ledger'],
          condition: { kind: 'alert', scope: 'deployments', alerts: ['crashing', 'failed'] },
        },
        {
          when: 'pattern: ^panic',
          action: 'bell',
          deployments: ['shop'],
          condition: { kind: 'pattern', pattern: '^panic' },
        },
        {
          when: 'grant<12h',
          action: 'bell',
          deployments: [],
          condition: { kind: 'grant', scope: 'grants', within: 43_200_000 },
        },
      ],
      quiet: { from: 1320, to: 420 },
    });
    expect(settings(file, 'test').rules).toEqual([]);
  });

  it('of the file apply where the profile has none, and without a profile', () => {
    const { rules, quiet } = settings(file, 'staging');
    expect(rules?.map(({ when }) => when)).toEqual(['crash']);
    expect(quiet).toEqual({ from: 750, to: 780 });
    expect(settings(file).rules).toHaveLength(1);
    expect(settings('theme: dark')).toEqual({ rules: undefined, quiet: undefined });
  });
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
    expect(refusal('\nquiet: 22-7')).toMatch(/^line 2: quiet is not valid. It must be hours like/);
    for (const hours of ['22:00-22:00', '25:00-07:00', '22:60-07:00', '22:00']) {
      expect(refusal(`quiet: ${hours}`)).toContain('quiet is not valid');
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
    expect(parsed.ok && parsed.value.alerts.rules?.map(({ when }) => when)).toEqual([
      'crash',
      'worse',
    ]);
  });
});
