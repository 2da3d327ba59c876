import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConfigProblem } from '../../source/config/environment.ts';
import { parseConfig } from '../../source/config/parse-config.ts';
import { readConfigFile } from '../../source/config/read-config-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const file = '/srv/me/.config/hostdeck/config.yaml';
const parse = (text: string) => parseConfig(text, file, '/srv/me');

/** Returns the message about a text that is refused, without the name of the file. */
function refusal(text: string): string {
  const parsed = parse(text);
  if (parsed.ok) throw new Error('The text was accepted.');
  return messageOf(parsed.problem);
}

/** Returns the messages about a text with which the program starts all the same. */
function warnings(text: string): readonly string[] {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.problem.sentence);
  return parsed.value.warnings.map(messageOf);
}

function messageOf({ sentence, next }: ConfigProblem): string {
  expect(sentence.startsWith(`${file} line `)).toBe(true);
  return `${sentence.slice(`${file} `.length)} ${next}`.trim();
}

const whole = `
default: staging
theme: dark
bell: off
log: { lines: 50000, bytes: 64M }
keys:
  files.edit: [e, f4]
  app.quit: q
  logs.wrap: []
profiles:
  prod:
    baseUrl: https://api.example.com/v2/
    tokenFile: prod.token
    wallet: 0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c
    readOnly: true
    colour: red
    restartDelay: off
    streamAuth: subprotocol
  staging:
    baseUrl: https://staging.example.com
    tokenCommand: pass show hostdeck/staging
    restartDelay: 1.5
  home: { baseUrl: 'http://127.0.0.1:7420', tokenFile: ~/home.token }
`;

describe('the configuration file', () => {
  it('holds profiles, the default one, theme, keys, log memory and bell', () => {
    const parsed = parse(whole);
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        path: file,
        defaultProfile: 'staging',
        theme: 'dark',
        bell: false,
        logMemory: { maxLines: 50_000, maxBytes: 64 * 2 ** 20 },
      },
    });
    if (!parsed.ok) return;
    expect([...parsed.value.profiles.values()]).toEqual([
      {
        name: 'prod',
        baseUrl: 'https://api.example.com/v2',
        token: { kind: 'file', path: '/srv/me/.config/hostdeck/prod.token' },
        wallet: '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c',
        readOnly: true,
        colour: 'red',
        restartDelay: 'off',
        streamAuth: 'subprotocol',
        alerts: undefined,
      },
      expect.objectContaining({
        name: 'staging',
        token: { kind: 'command', command: 'pass show hostdeck/staging' },
        readOnly: false,
        restartDelay: 1500,
      }),
      expect.objectContaining({ token: { kind: 'file', path: '/srv/me/home.token' } }),
    ]);
    expect([...parsed.value.keys]).toEqual([
      ['files.edit', { keys: ['e', 'f4'], line: 7 }],
      ['app.quit', { keys: ['q'], line: 8 }],
      ['logs.wrap', { keys: [], line: 9 }],
    ]);
  });

  it('may be empty, and reads keys that look like numbers as they are written', () => {
    expect(parse('')).toMatchObject({ ok: true });
    expect(parse('profiles:\nkeys:\nlog:\n')).toMatchObject({ ok: true });
    const parsed = parse("keys: { a.b: [1, ':', ~, '#'] }");
    expect(parsed.ok && parsed.value.keys.get('a.b')?.keys).toEqual(['1', ':', '~', '#']);
  });

  it('names the line and the expected value of a mistake, and starts where it endangers nothing', () => {
    const profile = (line: string) => `profiles:\n  prod:\n    baseUrl: http://h\n    ${line}\n`;
    expect([
      ...warnings('theme: blue\nlog:\n  lines: 12\nbell: loud\nkeys:\n  a.b: { c: d }'),
      ...warnings(profile('colour: pink\n    proof: long')),
      ...warnings('log: 5\nkeys: [e]'),
      refusal(profile('restartDelay: soon')),
      refusal(profile('readOnly: maybe')),
      refusal(profile('wallet:')),
      refusal('profiles:\n  prod:\n    wallet: x'),
      refusal('profiles: [prod]'),
    ]).toEqual([
      'line 1: theme is not valid. It must be auto, dark, light, contrast or mono.',
      'line 3: lines is not valid. It must be a number from 1000 to 100000000.',
      'line 4: bell is not valid. It must be on or off.',
      'line 6: a.b is not valid. It must be a key or a list of keys, like [e, f4].',
      'line 4: colour is not valid. It must be red, yellow, green, cyan or magenta.',
      'line 5: proof is not valid. It must be off, or seconds from 0 to 600 (0 is off).',
      'line 1: log is not valid. It must be a map with lines and bytes.',
      'line 2: keys is not valid. It must be a map from the id of a command to its keys.',
      'line 4: restartDelay is not valid. It must be off, or seconds from 0 to 86400.',
      'line 4: readOnly is not valid. It must be true or false.',
      'line 4: wallet is not valid. It must be a wallet address.',
      'line 2: prod has no baseUrl. Add baseUrl to it.',
      'line 1: profiles is not valid. It must be a map of profiles by their names.',
    ]);
  });

  it('names an unknown key with the nearest known one, and an unknown default profile', () => {
    expect([
      refusal('profile:\n  prod: { baseUrl: http://h }'),
      refusal('profiles:\n  prod:\n    baseurl: http://h\n'),
      refusal('profiles:\n  prod: { baseUrl: http://h, read_only: true }'),
      refusal('profiles:\n  prod: { baseUrl: http://h, shield: on }'),
      refusal('defualt: prod\nprofiles:\n  prod: { baseUrl: http://h }'),
      ...warnings('colors: x\nthem: dark\nprofiles:\n  prod: { baseUrl: http://h, color: red }'),
      refusal('default: prot\nprofiles:\n  prod: { baseUrl: http://h }'),
    ]).toEqual([
      'line 1: Unknown key profile. Did you mean profiles?',
      'line 3: Unknown key baseurl. Did you mean baseUrl?',
      'line 2: Unknown key read_only. Did you mean readOnly?',
      'line 2: Unknown key shield. Known keys: baseUrl, tokenFile, tokenCommand, wallet, readOnly, colour, restartDelay, proof, streamAuth, alerts.',
      'line 1: Unknown key defualt. Did you mean default?',
      'line 1: Unknown key colors. Known keys: profiles, default, theme, keys, log, bell, alerts.',
      'line 2: Unknown key them. Did you mean theme?',
      'line 4: Unknown key color. Did you mean colour?',
      'line 1: There is no profile prot. Did you mean prod?',
    ]);
  });

  it('refuses a token, two sources of a token and a second local', () => {
    const profile = (lines: string) => `profiles:\n  prod:\n    baseUrl: http://h\n${lines}`;
    const withToken = refusal(profile('    token: s3cret\n'));
    expect(withToken).toContain('line 4: A token must not be in this file.');
    expect(withToken).not.toContain('s3cret');
    expect(refusal(profile('    tokenFile: a\n    tokenCommand: b\n'))).toContain(
      'line 5: prod has a tokenFile and a tokenCommand.',
    );
    expect(refusal('profiles:\n  local: { baseUrl: http://h }')).toContain(
      'local is the host on this machine.',
    );
  });

  it('explains text that is no YAML', () => {
    const column = (text: string) => refusal(text).replace(/: Not valid YAML\. /, ' ');
    expect([
      column('profiles:\n\tprod: x'),
      column('profiles: ['),
      column('theme: dark\nkeys: {\n'),
      column('theme: dark\nbell: loud\nprofiles:\n  prod: "x\n'),
      column('profiles:\n  prod:\n    baseUrl: http://h\n   wallet: x\n'),
    ]).toEqual([
      "line 2, column 1 Indent with spaces: YAML doesn't allow tabs here.",
      'line 1, column 11 This [ is never closed.',
      'line 2, column 7 This { is never closed.',
      'line 4, column 9 This " is never closed.',
      'line 4, column 4 Indent this line like the others at its level.',
    ]);
    expect(warnings('theme: dark\ntheme: light')).toEqual([
      'line 2: Key theme is defined twice. Remove one of them.',
    ]);
    expect(parse('theme: dark\ntheme: light')).toMatchObject({ value: { theme: 'dark' } });
    const twice = 'profiles:\n  007: { baseUrl: http://a }\n  7: { baseUrl: http://b }\n';
    expect(parse(twice).ok).toBe(true);
    expect(refusal(twice.replace('007', '"7"'))).toContain('line 3: Key 7 is defined twice.');
    expect(refusal('just text')).toContain('line 1: The file is not valid.');
  });

  it('never repeats a value, whatever the text is', () => {
    const keys = fc.constantFrom('baseUrl', 'tokenFile', 'tokenCommand', 'token', 'wallet', 'x');
    fc.assert(
      fc.property(keys, fc.stringMatching(/^[a-z]{12}$/), (key, secret) => {
        const parsed = parse(`profiles:\n  prod:\n    ${key}: [${secret}]\n`);
        expect(JSON.stringify(parsed)).not.toContain(secret);
      }),
    );
  });
});

describe('reading the file', () => {
  it('gives empty values where there is none', async () => {
    const folder = temporaryFolder();
    const read = await readConfigFile(path.join(folder, 'missing'), '/srv/me');
    expect(read).toMatchObject({ ok: true, value: { defaultProfile: undefined } });
    expect(read.ok && read.value.profiles.size).toBe(0);
  });

  it('reads it from the folder, and refuses what is no file', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'config.yaml'), 'theme: mono\n');
    expect(await readConfigFile(folder, '/srv/me')).toMatchObject({ value: { theme: 'mono' } });
    const other = temporaryFolder();
    mkdirSync(path.join(other, 'config.yaml'));
    expect(await readConfigFile(other, '/srv/me')).toMatchObject({ ok: false });
  });
});
