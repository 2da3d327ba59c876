import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addProfile, removeProfile, setDefaultProfile } from '../../source/config/edit-config.ts';
import type { Configured } from '../../source/config/environment.ts';
import { parseConfig } from '../../source/config/parse-config.ts';

const sample = `# My services
default: staging # for now

profiles:
    # The one that pays.
    prod:
        baseUrl: https://api.example.com # behind the proxy
        tokenFile: prod.token
        wallet: '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c'
    staging:
        baseUrl: https://staging.example.com
        tokenCommand: "pass show hostdeck/staging | head -1 | tr -d '\\\\n' && true || echo a long command that must not be wrapped"
# Keys of the right hand
keys:
    log.export: []
`;

function textOf(edited: Configured<string>): string {
  if (!edited.ok) throw new Error(edited.problem.sentence);
  return edited.value;
}

function configOf(text: string) {
  const parsed = parseConfig(text, '/etc/config.yaml', '/srv/me');
  if (!parsed.ok) throw new Error(`${parsed.problem.sentence} ${parsed.problem.next}`);
  return parsed.value;
}

const comments = (text: string): readonly string[] => text.match(/#.*/g) ?? [];

describe('a new profile', () => {
  it('leaves every other line of the file as it is', () => {
    const text = textOf(addProfile(sample, 'lab', { baseUrl: 'http://lab' }, false));
    const added = '    lab:\n        baseUrl: http://lab\n';
    expect(text).toBe(sample.replace('# Keys', `${added}# Keys`));
  });

  it('may become the default', () => {
    const text = textOf(addProfile(sample, 'lab', { baseUrl: 'http://lab' }, true));
    expect(text).toContain('default: lab # for now\n');
    expect(configOf(text).defaultProfile).toBe('lab');
  });

  it.each(['', '# Nothing yet\n', 'theme: dark\n', 'profiles:\n', 'profiles: {}\n', '\uFEFF'])(
    'is added to %j',
    (before) => {
      const settings = { baseUrl: 'https://h', wallet: '0x12', readOnly: true };
      const text = textOf(addProfile(before, 'lab', settings, true));
      expect(configOf(text).profiles.get('lab')).toMatchObject(settings);
      expect(comments(text)).toEqual(comments(before));
      expect(text.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'));
    },
  );

  it('keeps the line ends of Windows', () => {
    const text = textOf(
      addProfile(sample.replaceAll('\n', '\r\n'), 'lab', { baseUrl: 'http://lab' }, false),
    );
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(configOf(text).profiles.size).toBe(3);
  });

  it('is refused where the profiles are an alias', () => {
    const text = 'keys: &p { a: { baseUrl: http://a } }\nprofiles: *p\n';
    expect(addProfile(text, 'lab', { baseUrl: 'http://lab' }, false)).toMatchObject({
      problem: {
        sentence:
          'This edit would change other values of the configuration file. Nothing was written.',
      },
    });
  });
});

describe('a removed profile', () => {
  it('leaves the others with their comments, and takes the default with it', () => {
    const text = textOf(removeProfile(sample, 'staging'));
    expect(configOf(text)).toMatchObject({ defaultProfile: undefined });
    expect([...configOf(text).profiles.keys()]).toEqual(['prod']);
    expect(text).toContain('# The one that pays.\n');
    expect(text).toContain('https://api.example.com # behind the proxy\n');
  });

  it('is refused where another one needs it', () => {
    const text = 'profiles:\n  a: &a { baseUrl: http://a }\n  b: *a\n';
    expect(removeProfile(text, 'a').ok).toBe(false);
  });
});

it('the default changes with its comment in place', () => {
  expect(textOf(setDefaultProfile(sample, 'prod'))).toBe(
    sample.replace('default: staging', 'default: prod'),
  );
  expect(configOf(textOf(setDefaultProfile('theme: dark\n', 'local'))).defaultProfile).toBe(
    'local',
  );
});

it('profiles that are added and removed again leave the values of the file', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9][\w.-]{0,20}$/).filter((text) => text !== 'local');
  const text = fc.string({ minLength: 1 }).filter((each) => each.trim() !== '');
  const settings = fc.record({
    baseUrl: fc.constant('https://h.example/v9'),
    tokenCommand: text,
    wallet: text,
    readOnly: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 4 }), settings, (names, values) => {
      const others = names.filter((each) => !['prod', 'staging'].includes(each));
      const all = others.reduce(
        (before, each) => textOf(addProfile(before, each, values, false)),
        sample,
      );
      for (const each of others) {
        const { token, wallet, readOnly } = configOf(all).profiles.get(each) ?? {};
        expect({ token, wallet, readOnly }).toEqual({
          token: { kind: 'command', command: values.tokenCommand.trim() },
          wallet: values.wallet.trim(),
          readOnly: values.readOnly,
        });
      }
      const none = others.reduce((before, each) => textOf(removeProfile(before, each)), all);
      expect(none).toBe(sample);
    }),
  );
});
